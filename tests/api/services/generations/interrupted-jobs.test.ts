import { afterEach, expect, test, vi } from 'vitest';
import { useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();
const HOUR_MS = 3_600_000;
afterEach(() => void vi.useRealTimers());

test('a job that ends with its process a dozen times is made nevertheless, and blames nobody', async () => {
  const user = await harness.readyUser();
  const { app, engine } = harness.testApp;
  engine.behave({ say: 'unknown' });
  const { generationId } = (await harness.start(user, user.imageId)).json();
  const countStarts = () => engine.jobs.get(`fake-${generationId}`)?.starts ?? 0;
  await vi.waitFor(() => expect(countStarts()).toBeGreaterThan(9), 60_000);
  harness.letEngineFinish();
  await harness.waitForStatus(user, generationId, 'completed');
  const runs = await app.db.engineRun.findMany({ where: { generationId }, orderBy: { createdAt: 'asc' } });
  expect(runs.at(-1)?.status).toBe('succeeded');
  expect(new Set(runs.slice(0, -1).map(({ failureCode }) => failureCode))).toEqual(new Set(['interrupted']));
});

test('a job that ends with its process every time is given up after fifteen, and its stars come back', async () => {
  const user = await harness.readyUser();
  const { app, engine } = harness.testApp;
  engine.behave({ say: 'unknown' });
  const { generationId } = (await harness.start(user, user.imageId)).json();
  await harness.waitForStatus(user, generationId, 'failed');
  expect(await app.db.engineRun.count({ where: { generationId } })).toBe(15);
  expect(await harness.balanceOf(user)).toBe(2);
});

test('failures of the engine between interruptions still count to five', async () => {
  const user = await harness.readyUser();
  const { app, engine } = harness.testApp;
  const { generationId } = (await harness.start(user, user.imageId)).json();
  const countRuns = (failureCode: string) => app.db.engineRun.count({ where: { generationId, failureCode } });
  engine.behave({ say: 'unknown' });
  await vi.waitFor(async () => expect(await countRuns('interrupted')).toBeGreaterThan(2), 60_000);
  engine.behave({ say: 'failed', failure: { code: 'engine_error', detail: 'test', shouldRetry: true } });
  await harness.waitForStatus(user, generationId, 'failed');
  expect(await countRuns('engine_error')).toBe(5);
});

test('a job that was interrupted while the clock was an hour ahead is made again', async () => {
  const user = await harness.readyUser();
  const { app, engine } = harness.testApp;
  // The database keeps its own clock.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
  const { generationId } = (await harness.start(user, user.imageId)).json();
  const countRuns = () => app.db.engineRun.count({ where: { generationId, status: { not: 'submitting' } } });
  await vi.waitFor(async () => expect(await countRuns()).toBe(1), 60_000);
  vi.useRealTimers();
  engine.behave({ say: 'unknown' });
  await vi.waitFor(async () => expect(await countRuns()).toBeGreaterThan(1), 60_000);
  harness.letEngineFinish();
  await harness.waitForStatus(user, generationId, 'completed');
});
