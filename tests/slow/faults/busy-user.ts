import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { photoForm, type RunningServer, Visitor } from '#tests/support/running-server.ts';

export const BACKGROUND = '/backgrounds/concrete.webp';
const PACKAGE_ID = 1;
/** Longer than the server may take for any answer. */
const ANSWER_TIMEOUT_MS = 60_000;
/** For a promise that the server cannot tell about yet. A notification of a payment is repeated after up to a minute. */
const TELLING_TIMEOUT_MS = 180_000;
const PAUSE_MS = 150;
const ROUNDS_PER_PURCHASE = 4;
/** Answers that leave it open whether a promise is kept: the server is asked again. */
const UNDECIDED = new Set([429, 503, 507]);

/**
 * How often each answer came: «200», or for a refusal the status with its code, «507 storage_full». «none»: the
 * connection ended before the answer did.
 */
export type Answers = Map<string, number>;

/** A request that must have its effect once, however often it is sent. */
interface Order {
  key: string;
  /** What the server promised: the id in its answer. Null until it has answered. */
  id: string | null;
}

interface Answer {
  status: number;
  ok: boolean;
  body: Buffer;
}

/** An account that polls, looks, uploads, starts and buys, repeats what was not answered, and remembers its promises. */
export class BusyUser {
  readonly email: string;
  readonly uploads: Order[] = [];
  readonly starts: Order[] = [];
  invoices: (Order & { isPaid: boolean })[] = [];
  readonly answers: Answers = new Map();
  /** Orders that the server has acknowledged. */
  accepted = 0;
  /** Pictures that came whole and were not those that had come before. */
  changed = 0;
  readonly #visitor: Visitor;
  readonly #photo: Buffer;
  readonly #pictures = new Map<string, Buffer>();
  /** Generations whose failure was counted after an earlier fault. */
  readonly #countedFailures = new Set<string>();
  #isBusy = false;
  #work: Promise<void> = Promise.resolve();

  constructor(server: Pick<RunningServer, 'url' | 'dataDir'>, email: string, photo: Buffer) {
    this.email = email;
    this.#visitor = new Visitor(server);
    this.#photo = photo;
  }

  async join(): Promise<void> {
    await this.#visitor.register(this.email);
    await this.#upload();
  }

  begin(): void {
    this.answers.clear();
    this.accepted = 0;
    this.changed = 0;
    this.#isBusy = true;
    this.#work = this.#goOn();
  }

  /** Ends after the request under way. */
  async stop(): Promise<void> {
    this.#isBusy = false;
    await this.#work;
  }

  /** Sends again what was never answered, with the same keys. Now every order must have an answer. */
  async repeatUnanswered(): Promise<void> {
    for (const upload of this.uploads) await this.#insist(upload, () => this.#upload(upload));
    for (const invoice of this.invoices) {
      await this.#insist(invoice, async () => {
        await this.#buy(invoice);
        return invoice.id !== null;
      });
      // The answer to its payment may be lost as well.
      await this.#buy(invoice);
    }
    for (const start of [...this.starts]) {
      await this.#insist(start, async () => {
        await this.waitForIdle();
        await this.#start(start);
        // A refused one leaves the list.
        return !this.starts.includes(start);
      });
    }
  }

  /** Sends an order again until it has an answer. Many at once run into the limit a minute. */
  async #insist(order: Order, send: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + TELLING_TIMEOUT_MS;
    while (order.id === null && !(await send()) && performance.now() < deadline) await wait(PAUSE_MS);
  }

  /** Waits until no generation of this account runs. */
  async waitForIdle(): Promise<void> {
    for (;;) {
      const list = await this.#json<{ activeGenerations: unknown[] }>('GET', '/api/active-generations');
      if (list?.activeGenerations.length === 0) return;
      await wait(PAUSE_MS);
    }
  }

  /**
   * `lost`: promises that are not kept, which are photos, generations, their results and paid invoices that are not there.
   * `failed`: generations that have failed since the last count. Their stars are back, but nobody has a picture.
   */
  async countBroken(): Promise<{ lost: number; failed: number }> {
    let lost = 0;
    let failed = 0;
    // One after the other: the server refuses an account that asks for everything at once.
    for (const { id } of this.uploads) if (!(await this.#isThere(`/media/photos/${id}/preview`))) lost += 1;
    for (const { id } of this.starts) {
      const fate = await this.#findFate(id);
      if (fate === 'lost') lost += 1;
      if (fate !== 'failed' || id === null || this.#countedFailures.has(id)) continue;
      this.#countedFailures.add(id);
      failed += 1;
    }
    for (const { id, isPaid } of this.invoices) if (isPaid && !(await this.#isInvoicePaid(id))) lost += 1;
    return { lost, failed };
  }

  /** Whether reading and writing work: one round without a refusal. */
  async isServed(): Promise<boolean> {
    const balance = await this.#send('GET', '/api/stars/balance');
    const upload = await this.#upload(this.uploads.find(({ id }) => id === null));
    return balance?.status === 200 && upload;
  }

  async #goOn(): Promise<void> {
    for (let round = 0; this.#isBusy; round++) {
      await this.#json('GET', '/api/stars/balance');
      await this.#json('GET', '/api/videos');
      await this.#look(`/media/photos/${this.uploads[0]?.id}/preview`);
      await this.#upload(this.uploads.find(({ id }) => id === null));
      await this.#startOrPoll();
      if (round % ROUNDS_PER_PURCHASE === 0) await this.#buy(this.invoices.find(({ isPaid }) => !isPaid));
      await wait(PAUSE_MS);
    }
  }

  /** Compares a picture with what came before. */
  async #look(path: string): Promise<void> {
    const answer = await this.#send('GET', path);
    if (answer?.status !== 200) return;
    const known = this.#pictures.get(path);
    if (known && !known.equals(answer.body)) this.changed += 1;
    this.#pictures.set(path, answer.body);
  }

  async #startOrPoll(): Promise<void> {
    const unanswered = this.starts.find(({ id }) => id === null);
    const list = await this.#json<{ activeGenerations: unknown[] }>('GET', '/api/active-generations');
    if (unanswered || list?.activeGenerations.length === 0) await this.#start(unanswered);
  }

  async #start(known?: Order): Promise<void> {
    const order = known ?? note(this.starts, { key: randomUUID(), id: null });
    const form = new FormData();
    form.set('imageId', this.uploads[0]?.id ?? '');
    form.set('backgroundImageUrl', BACKGROUND);
    const answer = await this.#send('POST', '/api/change-model', form, order.key);
    if (answer?.ok) order.id = read<{ request_id: string }>(answer).request_id;
    // Refused before anything was stored: too few stars, or the generation before still runs.
    else if (answer?.status === 402 || answer?.status === 409) this.starts.splice(this.starts.indexOf(order), 1);
  }

  async #upload(known?: Order): Promise<boolean> {
    const order = known ?? note(this.uploads, { key: randomUUID(), id: null });
    const answer = await this.#json<{ id: string }>('POST', '/api/upload', photoForm(this.#photo), order.key);
    if (answer) order.id = answer.id;
    return answer !== null;
  }

  async #buy(known?: Order & { isPaid: boolean }): Promise<void> {
    const invoice = known ?? note(this.invoices, { key: randomUUID(), id: null, isPaid: false });
    if (invoice.isPaid) return;
    const body = { packageId: PACKAGE_ID };
    const path = '/api/payments/create-invoice';
    const answer = await this.#json<{ invoiceId: string; paymentUrl: string }>('POST', path, body, invoice.key);
    if (!answer) return;
    invoice.id = answer.invoiceId;
    const page = new URL(answer.paymentUrl).pathname;
    if (page.startsWith('/sandbox/')) {
      invoice.isPaid = await this.#pay(page);
      return;
    }
    // A decided invoice leads to its result instead of the page of the provider. Its notification may be on its way.
    const decided = await this.#json<{ status: string }>('GET', `/api/payments/invoices/${invoice.id}`);
    invoice.isPaid = decided !== null && decided.status !== 'canceled';
    // A page can be paid for an hour. One that was opened an hour ago by a clock that has jumped expires unpaid.
    if (decided?.status === 'canceled') this.invoices = this.invoices.filter((other) => other !== invoice);
  }

  async #pay(page: string): Promise<boolean> {
    const paid = await this.#send('POST', `${page}/pay`, undefined, undefined, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    return paid?.status === 303;
  }

  async #isThere(path: string): Promise<boolean> {
    return (await this.#getDecided(path)).status === 200;
  }

  /** What became of a generation that has ended. It is lost without its row, or completed without all of its results. */
  async #findFate(id: string | null): Promise<'made' | 'failed' | 'lost'> {
    const answer = await this.#getDecided(`/api/generations/${id}`);
    if (answer.status !== 200) return 'lost';
    const { status, results } = read<{ status: string; results: { url: string }[] }>(answer);
    for (const { url } of results) if (!(await this.#isThere(url))) return 'lost';
    if (status !== 'completed') return 'failed';
    return results.length === 0 ? 'lost' : 'made';
  }

  /** The notification of the provider may still be on its way. */
  async #isInvoicePaid(id: string | null): Promise<boolean> {
    const deadline = performance.now() + TELLING_TIMEOUT_MS;
    while (performance.now() < deadline) {
      const invoice = await this.#json<{ status: string }>('GET', `/api/payments/invoices/${id}`);
      if (invoice?.status === 'succeeded') return true;
      await wait(PAUSE_MS);
    }
    return false;
  }

  /** Asks until the answer says something about the promise. */
  async #getDecided(path: string): Promise<Answer> {
    const deadline = performance.now() + TELLING_TIMEOUT_MS;
    for (;;) {
      const answer = await this.#send('GET', path);
      if (answer && !UNDECIDED.has(answer.status)) return answer;
      if (performance.now() > deadline) throw new Error(`no answer about ${path}: ${answer?.body ?? 'none'}`);
      await wait(PAUSE_MS);
    }
  }

  /** Null when the answer is no success. */
  async #json<T>(method: string, path: string, body?: object | FormData, key?: string): Promise<T | null> {
    const answer = await this.#send(method, path, body, key);
    return answer?.ok ? read<T>(answer) : null;
  }

  /** Null when the connection ended before the answer did. */
  async #send(
    method: string,
    path: string,
    content?: object | FormData,
    key?: string,
    headers: Record<string, string> = key ? { 'idempotency-key': key } : {},
  ): Promise<Answer | null> {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    let answer: Answer | null = null;
    try {
      const response = await this.#visitor.request(method, path, content, headers, { signal, redirect: 'manual' });
      const body = Buffer.from(await response.arrayBuffer());
      answer = { status: response.status, ok: response.ok, body };
    } catch {
      // Broken off, or not in time.
    }
    const told = describeAnswer(answer);
    this.answers.set(told, (this.answers.get(told) ?? 0) + 1);
    if (answer && method === 'POST' && answer.status < 400) this.accepted += 1;
    return answer;
  }
}

function describeAnswer(answer: Answer | null): string {
  if (!answer) return 'none';
  const { status, body } = answer;
  if (status < 400) return String(status);
  try {
    return `${status} ${JSON.parse(body.toString()).code}`;
  } catch {
    return String(status);
  }
}

function read<T>({ body }: Answer): T {
  return JSON.parse(body.toString()) as T;
}

function note<T>(list: T[], order: T): T {
  list.push(order);
  return order;
}
