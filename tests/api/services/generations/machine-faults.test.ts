import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { fitToFrame, UnreadablePhotoError } from '#api/adapters/generation-engines/fit-photo.ts';
import { WorkProcessError } from '#api/platform/work-processes/work-process-error.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { startNoProcesses } from '#tests/support/no-processes.ts';
import { UNRULY_PRICE, type UnrulyEngine, withEngine } from '#tests/support/unruly-engine.ts';
import { follow, listRuns, useUnrulyOrders } from '#tests/support/unruly-orders.ts';
import { registerVerified } from '#tests/support/users.ts';

const harness = useUnrulyOrders();
const { order } = harness;
let startProcesses: () => void = () => undefined;
afterEach(() => startProcesses());

test('a photo whose file is lost ends its order at once, and closes the tool for nobody', async () => {
  const orders = await Promise.all(Array.from({ length: 5 }, () => order()));
  for (const { app, engine, photo, generationId } of orders) {
    await app.storage.remove(photo.masterKey);
    const reading: UnrulyEngine = {
      ...engine,
      async submit(asked) {
        if (asked.kind === 'video') await buffer(await asked.photos.subject());
        return engine.submit(asked);
      },
    };
    await follow(withEngine(app, reading), generationId);
    expect(await app.db.generation.findUniqueOrThrow({ where: { id: generationId } })).toMatchObject({
      status: 'failed',
      failureCode: 'photo_lost',
    });
    expect(await listRuns(app, generationId)).toEqual([{ status: 'failed', reason: 'first', costMicros: 0 }]);
  }
  expect(await harness.testApp.app.db.engineOutage.count()).toBe(0);
});

test('a photo is uploaded later when no process can be started to read it', async () => {
  const user = await registerVerified(harness.testApp);
  const form = await encodeFileForm('image', { content: await drawJpeg(400, 500), name: 'a.jpg', type: 'image/jpeg' });
  const upload = () =>
    harness.testApp.server.inject({
      method: 'POST',
      url: '/api/upload',
      payload: form.body,
      headers: { cookie: user.cookie, ...form.headers },
    });
  startProcesses = startNoProcesses();
  const refused = await upload();
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '5']);
  startProcesses();
  expect((await upload()).statusCode).toBe(200);
});

test('an order is handed in later when no process can be started to prepare its photo', async () => {
  const { app, engine, generationId } = await order();
  let tries = 0;
  const preparing: UnrulyEngine = {
    ...engine,
    async submit(asked) {
      if (++tries > 2) startProcesses();
      try {
        await fitToFrame(await drawJpeg(400, 500), { width: 90, height: 120 });
      } catch (error) {
        if (!(error instanceof UnreadablePhotoError)) throw error;
        return { state: 'refused', failure: { code: 'photo_unsuitable', detail: error.message, shouldRetry: false } };
      }
      return engine.submit(asked);
    },
  };
  startProcesses = startNoProcesses();
  await follow(withEngine(app, preparing), generationId);
  expect(tries).toBe(3);
  expect(await listRuns(app, generationId)).toEqual([
    { status: 'succeeded', reason: 'first', costMicros: UNRULY_PRICE.micros },
  ]);
});

test.each(['video', 'try_on'] as const)(
  'a paid result (%s) is kept when no process could be started to read it',
  async (kind) => {
    const { app, engine, generationId } = await order({ kind });
    startProcesses = startNoProcesses();
    const following = follow(app, generationId);
    const poll = vi.spyOn(engine, 'poll');
    await vi.waitFor(() => expect(poll.mock.calls.length).toBeGreaterThan(1), 60_000);
    startProcesses();
    await following;
    expect(engine.paid.get(`${generationId}/0`)).toBe(1);
    expect(await listRuns(app, generationId)).toEqual([
      { status: 'succeeded', reason: 'first', costMicros: UNRULY_PRICE.micros },
    ]);
  },
);

test('a process that cannot be started is no fault of the photo', async () => {
  startProcesses = startNoProcesses();
  await expect(fitToFrame(Buffer.from('text'), { width: 90, height: 120 })).rejects.toThrow(WorkProcessError);
});
