import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runGeneration } from '#api/services/generations/running/run-generation.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();
const { balanceOf, call, letEngineFinish, readyUser, start, waitForStatus } = harness;

test('a failure that may pass is tried again without charging again', async () => {
  const user = await readyUser();
  const { engine } = harness.testApp;
  const failure = { code: 'engine_error', detail: 'overload', shouldRetry: true } as const;
  const poll = vi.spyOn(engine, 'poll').mockResolvedValueOnce({ state: 'failed', failure });
  letEngineFinish();
  const { generationId } = (await start(user, user.imageId)).json();
  await waitForStatus(user, generationId, 'completed');
  expect(engine.jobs.get(`fake-${generationId}`)?.starts).toBe(2);
  expect(await balanceOf(user)).toBe(1);
  poll.mockRestore();
});

test('an engine that cannot be reached for a while costs neither the generation nor one of its starts', async () => {
  const user = await readyUser();
  const { app, engine } = harness.testApp;
  engine.behave({ say: 'unreachable' });
  const startOrder = vi.spyOn(engine, 'submit');
  const { generationId } = (await start(user, user.imageId)).json();
  await vi.waitFor(() => expect(startOrder.mock.calls.length).toBeGreaterThanOrEqual(2), 60_000);
  letEngineFinish();
  await waitForStatus(user, generationId, 'completed');
  expect(await app.db.engineRun.count({ where: { generationId } })).toBe(1);
  startOrder.mockRestore();
});

test('the end of a job in this process is seen at once, and not only by the next poll', async () => {
  const user = await readyUser();
  const { engine } = harness.testApp;
  const { pollIntervalMs } = engine;
  const ending = Promise.withResolvers<void>();
  Object.assign(engine, { pollIntervalMs: 3_600_000, whenEnded: () => ending.promise });
  onTestFinished(() => void Object.assign(engine, { pollIntervalMs, whenEnded: undefined }));
  const { generationId } = (await start(user, user.imageId)).json();
  await harness.orderOf('video', generationId);
  letEngineFinish();
  ending.resolve();
  await waitForStatus(user, generationId, 'completed');
});

test('an order that is cancelled while it is being started is stopped at the engine', async () => {
  const user = await readyUser();
  const { engine } = harness.testApp;
  const startOrder = vi.spyOn(engine, 'submit').mockImplementationOnce(async (order) => {
    const cancelled = await call(user, { method: 'POST', url: `/api/generations/${order.generationId}/cancel` });
    expect(cancelled.json().outcome).toBe('cancelled');
    return { state: 'submitted', job: { id: `fake-${order.generationId}`, details: {} } };
  });
  const { generationId } = (await start(user, user.imageId)).json();
  await vi.waitFor(() => expect(engine.disposed).toContain(`fake-${generationId}`), 60_000);
  expect(engine.cancelled).toContain(`fake-${generationId}`);
  expect(await balanceOf(user)).toBe(2);
  startOrder.mockRestore();
});

test('a result that comes after the cancellation leaves no file behind', async () => {
  const user = await readyUser();
  const { app, engine } = harness.testApp;
  const { generationId } = (await start(user, user.imageId)).json();
  await waitForStatus(user, generationId, 'generating');
  const read = vi.spyOn(app.videoEncoder, 'makePosters').mockImplementationOnce(async (file) => {
    // The cancellation comes after the engine's end and before its result is booked.
    await call(user, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
    return app.videoEncoder.makePosters(file);
  });
  letEngineFinish();
  await vi.waitFor(() => expect(engine.disposed).toContain(`fake-${generationId}`), 60_000);
  expect(await balanceOf(user)).toBe(2);
  const folder = `results/${user.account.id}/${generationId}/0`;
  for (const name of ['original.mp4', 'poster.webp', 'thumbnail.webp']) {
    expect(await app.storage.findSize(`${folder}/${name}`), name).toBeNull();
  }
  read.mockRestore();
});

test('of two workers with the same job the slower one leaves what the faster has booked', async () => {
  const user = await readyUser();
  const { app, engine } = harness.testApp;
  const { generationId } = (await start(user, user.imageId)).json();
  await waitForStatus(user, generationId, 'generating');
  const read = vi.spyOn(app.videoEncoder, 'makePosters').mockImplementationOnce(async (file) => {
    // This worker stalls while it stores the result. Another one takes over and finishes.
    await runGeneration(app, generationId, new AbortController().signal);
    return app.videoEncoder.makePosters(file);
  });
  letEngineFinish();
  await waitForStatus(user, generationId, 'completed');
  await vi.waitFor(() => expect(engine.disposed.filter((id) => id === `fake-${generationId}`)).toHaveLength(2), 60_000);
  const folder = `results/${user.account.id}/${generationId}/0`;
  for (const name of ['original.mp4', 'poster.webp', 'thumbnail.webp']) {
    expect(await app.storage.findSize(`${folder}/${name}`), name).not.toBeNull();
  }
  expect(await balanceOf(user)).toBe(1);
  read.mockRestore();
});

test('a file that is not a video fails the generation and gives the star back', async () => {
  const user = await readyUser();
  const rubbish = path.join(harness.testApp.database.dataDir, 'rubbish.mp4');
  await writeFile(rubbish, 'this is no video');
  harness.testApp.engine.behave({ say: 'completed', outputs: [{ path: rubbish, contentType: 'video/mp4' }] });
  const { generationId } = (await start(user, user.imageId)).json();
  await waitForStatus(user, generationId, 'failed');
  expect(await balanceOf(user)).toBe(2);
});

test('a generation that the engine cannot stop runs on and lands in the list', async () => {
  const user = await readyUser();
  harness.testApp.engine.answerCancel('runs_on');
  const { generationId } = (await start(user, user.imageId)).json();
  await waitForStatus(user, generationId, 'generating');
  const answer = await call(user, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
  expect(answer.json().outcome).toBe('runs_on');
  letEngineFinish();
  await waitForStatus(user, generationId, 'completed');
  expect(await balanceOf(user)).toBe(1);
});
