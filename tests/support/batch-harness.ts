import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import * as contract from '#shared/contract/batches.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createPayment, createStoredPhoto } from './factories.ts';
import { useToolHarness } from './tool-harness.ts';
import type { TestUser } from './users.ts';
import { registerVerified } from './users.ts';

export const VIDEO_SET = { kind: 'video', settings: { duration: 5 } } as const;

/** The server with its background jobs and a fake engine, and calls of the pages of batches. Registers the hooks itself. */
export function useBatchHarness(options: Parameters<typeof useToolHarness>[0] = {}) {
  const harness = useToolHarness(options);
  const { testApp } = harness;
  const { call } = testApp;

  /** A confirmed account with so many stars. */
  async function createUser({ stars = 100, isPaid = true } = {}): Promise<TestUser> {
    const user = await registerVerified(testApp);
    const { id: accountId } = user.account;
    await testApp.app.db.$transaction(async (tx) => {
      const { starBalance } = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
      const delta = stars - starBalance;
      if (delta !== 0) {
        await tx.starEntry.create({ data: { accountId, kind: 'correction', delta, causeKey: `test:${randomUUID()}` } });
        await tx.account.update({ where: { id: accountId }, data: { starBalance: stars } });
      }
      if (isPaid) await createPayment(tx, accountId);
    });
    return user;
  }

  async function post<T>(user: TestUser, url: string, payload: object = {}, headers = {}): Promise<T> {
    const answer = await call(user, { method: 'POST', url, payload, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  }

  /** A new batch. */
  function create(user: TestUser, set: contract.BatchSet | object = VIDEO_SET): Promise<contract.Batch> {
    return post(user, '/api/batches', { id: randomUUID(), set });
  }

  /** A batch with so many ready rows, each of a photo of its own. */
  async function createReady(user: TestUser, rows: number, set: object = VIDEO_SET): Promise<contract.Batch> {
    const { id } = await create(user, set);
    const photos: string[] = [];
    for (let index = 0; index < rows; index++) {
      photos.push((await createStoredPhoto(testApp.app, user.account.id)).id);
    }
    const added = await post<{ batch: contract.Batch }>(user, `/api/batches/${id}/rows`, {
      rows: photos.map((photoId) => ({ id: randomUUID(), name: 'photo.jpg', photoId })),
    });
    return added.batch;
  }

  async function read(user: TestUser, id: string): Promise<{ batch: contract.Batch; rows: contract.BatchRow[] }> {
    const answer = await call(user, { url: `/api/batches/${id}` });
    expect(answer.statusCode, answer.body).toBe(200);
    return contract.getBatch.answer.parse(answer.json());
  }

  /** Starts what is ready, at the price that is shown. */
  async function start(user: TestUser, batch: contract.Batch, body: object = {}): Promise<contract.Batch> {
    const { ready } = batch.prices;
    return post(user, `/api/batches/${batch.id}/start`, { agreedStars: ready.stars, ...body });
  }

  /** A file as a page sends it. Each `seed` gives other bytes. */
  function drawFile(seed: number): Promise<Buffer> {
    return drawProductPhoto('garment', { width: 300 + (seed % 50), height: 400 + Math.floor(seed / 50) });
  }

  return { harness, testApp, createUser, post, create, createReady, read, start, drawFile };
}
