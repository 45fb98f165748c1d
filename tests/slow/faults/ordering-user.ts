import { expect, vi } from 'vitest';
import { Visitor } from '#tests/support/running-server.ts';
import { newEmail } from '#tests/support/users.ts';
import { BACKGROUND } from './busy-user.ts';
import type { FaultFixture } from './fault-fixture.ts';

/** Enough for a render on a busy machine, with a worker that is killed meanwhile. */
const PATIENCE = { timeout: 200_000, interval: 100 };

interface Refusal {
  status: number;
  code?: string | undefined;
  retryAfter: string | null;
}

interface GenerationState {
  status: string;
  failure: { code: string } | null;
  progress: { share: number | null };
  results: { url: string; loss?: object }[];
}

/** Somebody whose orders are looked at one by one. */
export class OrderingUser {
  readonly visitor: Visitor;
  readonly #fixture: FaultFixture;
  readonly #imageId: string;

  private constructor(fixture: FaultFixture, visitor: Visitor, imageId: string) {
    this.#fixture = fixture;
    this.visitor = visitor;
    this.#imageId = imageId;
  }

  static async join(fixture: FaultFixture): Promise<OrderingUser> {
    const visitor = new Visitor(fixture.processOf('api'));
    await visitor.register(newEmail());
    return new OrderingUser(fixture, visitor, await visitor.uploadPhoto(fixture.photo));
  }

  /** Orders a picture with another background. Returns its id, or how it was refused. */
  async order(): Promise<string | Refusal> {
    const form = new FormData();
    form.set('imageId', this.#imageId);
    form.set('backgroundImageUrl', BACKGROUND);
    const answer = await this.visitor.request('POST', '/api/change-model', form);
    const body = (await answer.json()) as { request_id: string; code?: string };
    if (answer.ok) return body.request_id;
    return { status: answer.status, code: body.code, retryAfter: answer.headers.get('retry-after') };
  }

  /** Orders a picture and lets `act` happen before the worker begins with it. */
  async orderBefore(act: () => void | Promise<void>): Promise<string> {
    const worker = this.#fixture.processOf('worker');
    worker.signal('SIGSTOP');
    try {
      const id = await this.order();
      if (typeof id !== 'string') throw new Error(`refused with ${id.status} ${id.code}`);
      await act();
      return id;
    } finally {
      worker.signal('SIGCONT');
    }
  }

  /** Orders a picture and waits for it. */
  async makePicture(): Promise<string> {
    const id = await this.orderBefore(() => {});
    expect(await this.waitForEnd(id)).toBe('completed');
    return id;
  }

  /** Orders a video, which takes seconds. */
  async orderVideo(): Promise<string> {
    const body = { imageId: this.#imageId };
    return (await this.visitor.json<{ generationId: string }>('POST', '/api/generate', body)).generationId;
  }

  /** Waits until the engine works on this order for the n-th time. */
  async waitForRun(id: string, count: number): Promise<void> {
    await vi.waitFor(async () => {
      const runs = await this.listRuns(id);
      expect([runs.length, runs.at(-1)]).toEqual([count, 'submitted']);
    }, PATIENCE);
  }

  /** Orders until an order is refused. Some may still be accepted, because the server looks every few seconds. */
  async orderUntilRefused(): Promise<Refusal> {
    return vi.waitFor(async () => {
      const answer = await this.order();
      if (typeof answer === 'string') await this.waitForEnd(answer);
      if (typeof answer === 'string' || answer.code === 'active_generation') throw new Error('accepted');
      return answer;
    }, PATIENCE);
  }

  /** Buys the smallest package. From then on the owner gets originals. */
  async buyStars(): Promise<void> {
    const before = await this.visitor.getBalance();
    const body = { packageId: 1 };
    const { paymentUrl } = await this.visitor.json<{ paymentUrl: string }>(
      'POST',
      '/api/payments/create-invoice',
      body,
    );
    await this.visitor.request('POST', `${new URL(paymentUrl).pathname}/pay`, undefined, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    await vi.waitFor(async () => expect(await this.visitor.getBalance()).toBeGreaterThan(before), PATIENCE);
  }

  /** The status of an answer, with the code of a refusal. */
  async open(path: string, method = 'GET'): Promise<string> {
    const answer = await this.visitor.request(method, path);
    if (answer.ok) await answer.arrayBuffer();
    return answer.ok ? String(answer.status) : `${answer.status} ${((await answer.json()) as { code: string }).code}`;
  }

  /** «completed», or the code of the failure. */
  async waitForEnd(id: string): Promise<string> {
    return vi.waitFor(async () => {
      const { status, failure } = await this.getState(id);
      expect(['completed', 'failed']).toContain(status);
      return failure?.code ?? status;
    }, PATIENCE);
  }

  /** Why the runs of the engine ended, the oldest first. */
  async listRuns(generationId: string): Promise<string[]> {
    const runs = await this.#fixture.database.db.engineRun.findMany({
      where: { generationId },
      orderBy: { createdAt: 'asc' },
    });
    return runs.map(({ status, failureCode }) => failureCode ?? status);
  }

  getState(id: string): Promise<GenerationState> {
    return this.visitor.json('GET', `/api/generations/${id}`);
  }
}
