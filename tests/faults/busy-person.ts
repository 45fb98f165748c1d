import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningServer } from '#tests/support/running-server.ts';
import { Visitor } from '#tests/support/running-server.ts';

const BACKGROUND = '/backgrounds/concrete.webp';
const PACKAGE_ID = 1;
/** Longer than the server may take for any answer. */
const ANSWER_TIMEOUT_MS = 60_000;
const PAUSE_MS = 150;
const ROUNDS_PER_PURCHASE = 4;

/** How often each status was answered. `none`: the connection ended without an answer. */
export type Answers = Map<number | 'none', number>;

/** A request that must have its effect once, however often it is sent. */
interface Order {
  key: string;
  /** What the server promised: the id in its answer. Null until it has answered. */
  id: string | null;
}

/** An account that polls, uploads, starts and buys, repeats what was not answered, and remembers what it was promised. */
export class BusyPerson {
  readonly email: string;
  readonly uploads: Order[] = [];
  readonly starts: Order[] = [];
  readonly invoices: (Order & { isPaid: boolean })[] = [];
  readonly answers: Answers = new Map();
  readonly #visitor: Visitor;
  readonly #photo: Buffer;
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
    for (const upload of this.uploads) if (upload.id === null) await this.#upload(upload);
    for (const invoice of this.invoices) await this.#buy(invoice);
    for (const start of this.starts) {
      if (start.id !== null) continue;
      await this.waitForIdle();
      await this.#start(start);
    }
  }

  /** Waits until no generation of this account runs. */
  async waitForIdle(): Promise<void> {
    for (;;) {
      const list = await this.#json<{ activeGenerations: unknown[] }>('GET', '/api/active-generations');
      if (list?.activeGenerations.length === 0) return;
      await wait(PAUSE_MS);
    }
  }

  /** Promises that are not kept: photos, generations and paid invoices that are not there. */
  async countLost(): Promise<number> {
    const found = await Promise.all([
      ...this.uploads.map(({ id }) => this.#isThere(`/media/photos/${id}/preview`)),
      ...this.starts.map(({ id }) => this.#isThere(`/api/generations/${id}`)),
      ...this.invoices.filter(({ isPaid }) => isPaid).map(({ id }) => this.#isInvoicePaid(id)),
    ]);
    return found.filter((isThere) => !isThere).length;
  }

  /** Whether reading and writing work: one round without a refusal. */
  async isServed(): Promise<boolean> {
    const balance = await this.#send('GET', '/api/stars/balance');
    const upload = await this.#upload();
    return balance?.status === 200 && upload;
  }

  async #goOn(): Promise<void> {
    for (let round = 0; this.#isBusy; round++) {
      await this.#json('GET', '/api/stars/balance');
      await this.#json('GET', '/api/videos');
      await this.#upload(this.uploads.find(({ id }) => id === null));
      await this.#startOrPoll();
      if (round % ROUNDS_PER_PURCHASE === 0) await this.#buy(this.invoices.find(({ isPaid }) => !isPaid));
      await wait(PAUSE_MS);
    }
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
    const answer = await this.#json<{ request_id: string }>('POST', '/api/change-model', form, order.key);
    if (answer) order.id = answer.request_id;
    // Refused before anything was stored: too few stars, or the generation before still runs.
    else if (this.#lastStatus === 402 || this.#lastStatus === 409) this.starts.splice(this.starts.indexOf(order), 1);
  }

  async #upload(known?: Order): Promise<boolean> {
    const order = known ?? note(this.uploads, { key: randomUUID(), id: null });
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(this.#photo)], { type: 'image/jpeg' }), 'photo.jpg');
    const answer = await this.#json<{ id: string }>('POST', '/api/upload', form, order.key);
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
    // A decided invoice leads to its result instead of the page of the provider.
    invoice.isPaid = !page.startsWith('/sandbox/') || (await this.#pay(page));
  }

  async #pay(page: string): Promise<boolean> {
    const paid = await this.#send('POST', `${page}/pay`, undefined, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    return paid?.status === 303;
  }

  async #isThere(path: string): Promise<boolean> {
    const answer = await this.#send('GET', path);
    return answer?.status === 200;
  }

  /** The notification of the provider may still be on its way. */
  async #isInvoicePaid(id: string | null): Promise<boolean> {
    for (let tries = 0; tries < 100; tries++) {
      const invoice = await this.#json<{ status: string }>('GET', `/api/payments/invoices/${id}`);
      if (invoice?.status === 'succeeded') return true;
      await wait(PAUSE_MS);
    }
    return false;
  }

  #lastStatus: number | 'none' = 'none';

  /** Null when the answer is no success. */
  async #json<T>(method: string, path: string, body?: object | FormData, key?: string): Promise<T | null> {
    const answer = await this.#send(method, path, body, key ? { 'idempotency-key': key } : {});
    return answer?.ok ? ((await answer.json()) as T) : null;
  }

  /** Null when the connection ended without an answer. */
  async #send(method: string, path: string, body?: object | FormData, headers: Record<string, string> = {}) {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await this.#visitor
      .request(method, path, body, headers, { signal, redirect: 'manual' })
      .catch(() => null);
    this.#lastStatus = answer?.status ?? 'none';
    this.answers.set(this.#lastStatus, (this.answers.get(this.#lastStatus) ?? 0) + 1);
    // Otherwise the connection stays in use.
    if (answer && !answer.ok) await answer.arrayBuffer().catch(() => undefined);
    return answer;
  }
}

function note<T>(list: T[], order: T): T {
  list.push(order);
  return order;
}
