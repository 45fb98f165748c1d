import { setTimeout as wait } from 'node:timers/promises';
import { changeForm, photoForm, type RunningServer, Visitor } from '#tests/support/running-server.ts';

const PACKAGE_ID = 1;
/** An open page polls every ten seconds; people also look around. */
const PAUSE_MS = { min: 3_000, max: 10_000 };
const READS = ['/api/stars/balance', '/api/gallery', '/api/videos', '/api/active-generations', '/api/stars/history'];
/** Of the rounds. */
const UPLOAD_SHARE = 0.03;
const START_SHARE = 0.02;
const PURCHASE_SHARE = 0.01;
/** Of the expected numbers. The dice hardly ever give less, unless something is refused. */
const LEAST_SHARE = 1 / 4;

/** How often each thing must at least have happened when so many people were busy for so long. */
export function countLeast(users: number, minutes: number) {
  const rounds = (users * minutes * 60_000) / ((PAUSE_MS.min + PAUSE_MS.max) / 2);
  const least = (share: number) => Math.floor(rounds * share * LEAST_SHARE);
  return {
    reads: least(1),
    uploaded: least(UPLOAD_SHARE),
    started: least(START_SHARE),
    bought: least(PURCHASE_SHARE),
  };
}

export interface SoakFigures {
  /** Milliseconds of those that were answered with success. */
  reads: number[];
  /** `none`: the connection ended without an answer. */
  statuses: Map<number | 'none', number>;
  uploaded: number;
  started: number;
  bought: number;
}

/** One of many people with an open page. */
export class SoakUser {
  readonly #visitor: Visitor;
  readonly #index: number;
  readonly #photo: Buffer;
  readonly #figures: SoakFigures;
  #imageId = '';

  constructor(server: RunningServer, index: number, photo: Buffer, figures: SoakFigures) {
    const address = `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
    this.#visitor = new Visitor(server, { 'x-forwarded-for': address });
    this.#index = index;
    this.#photo = photo;
    this.#figures = figures;
  }

  async join(): Promise<void> {
    await this.#visitor.register(`soak-${this.#index}@example.com`);
    await this.#visitor.acceptTransfer();
    this.#imageId = await this.#visitor.uploadPhoto(this.#photo);
  }

  async beBusyUntil(endsAt: number): Promise<void> {
    // Not all at once.
    await wait(Math.random() * PAUSE_MS.max);
    while (Date.now() < endsAt) {
      const path = READS[Math.floor(Math.random() * READS.length)] ?? '';
      const startedAt = performance.now();
      const answer = await this.#send('GET', path);
      if (answer !== null) this.#figures.reads.push(performance.now() - startedAt);
      const dice = Math.random();
      if (dice < UPLOAD_SHARE) await this.#upload();
      else if (dice < UPLOAD_SHARE + START_SHARE) await this.#start();
      else if (dice < UPLOAD_SHARE + START_SHARE + PURCHASE_SHARE) await this.#buy();
      await wait(PAUSE_MS.min + Math.random() * (PAUSE_MS.max - PAUSE_MS.min));
    }
  }

  async #upload(): Promise<void> {
    if (await this.#send('POST', '/api/upload', photoForm(this.#photo))) this.#figures.uploaded++;
  }

  /** Changes model and background; buys stars when there are none left. */
  async #start(): Promise<void> {
    if (await this.#send('POST', '/api/change-model', changeForm(this.#imageId))) this.#figures.started++;
    else if (this.#lastStatus === 402) await this.#buy();
  }

  async #buy(): Promise<void> {
    const invoice = await this.#send('POST', '/api/payments/create-invoice', { packageId: PACKAGE_ID });
    if (!invoice) return;
    const { paymentUrl } = JSON.parse(invoice);
    const paid = await this.#send('POST', `${new URL(paymentUrl).pathname}/pay`, undefined, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    if (paid !== null) this.#figures.bought++;
  }

  #lastStatus: number | 'none' = 'none';

  /** The body; null when the answer is an error. */
  async #send(method: string, path: string, body?: object | FormData, headers: Record<string, string> = {}) {
    const answer = await this.#visitor.request(method, path, body, headers, { redirect: 'manual' }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    this.#lastStatus = text === undefined || text === null ? 'none' : (answer?.status ?? 'none');
    this.#figures.statuses.set(this.#lastStatus, (this.#figures.statuses.get(this.#lastStatus) ?? 0) + 1);
    return typeof text === 'string' && answer && answer.status < 400 ? text : null;
  }
}
