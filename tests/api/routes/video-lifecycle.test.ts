import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { failOverdueGenerations } from '#api/services/overdue-generations.ts';
import { GENERATION_TIMEOUT_MS } from '#shared/rules/generation-lifecycle.ts';
import { useVideoStudio } from '#tests/support/video-studio.ts';

const studio = useVideoStudio();
const { balanceOf, call, letEngineFinish, readyPerson, start, stateOf, waitForStatus } = studio;

test('a failed generation gives the star back and says why', async () => {
  const person = await readyPerson();
  studio.testApp.engine.behave({
    say: 'failed',
    failure: { code: 'photo_unsuitable', detail: 'no subject', shouldRetry: false },
  });
  const { generationId } = (await start(person, person.imageId)).json();
  await waitForStatus(person, generationId, 'failed');
  const state = await stateOf(person, generationId);
  expect(state).toMatchObject({ code: 'photo_unsuitable', videoUrl: null });
  expect(state.error).toMatch(/фото/);
  expect(await balanceOf(person)).toBe(2);
});

test('a failure that may pass is tried again without charging again', async () => {
  const person = await readyPerson();
  studio.testApp.engine.behave({
    say: 'failed',
    failure: { code: 'engine_error', detail: 'overload', shouldRetry: true },
  });
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(() => expect(studio.testApp.engine.jobs.get(`fake-${generationId}`)?.starts).toBeGreaterThan(1));
  letEngineFinish();
  await vi.waitFor(
    async () => expect(['completed', 'failed']).toContain((await stateOf(person, generationId)).status),
    20_000,
  );
  const { status } = await stateOf(person, generationId);
  expect(await balanceOf(person)).toBe(status === 'completed' ? 1 : 2);
});

test('an engine that forgot the job is given the order again', async () => {
  const person = await readyPerson();
  studio.testApp.engine.behave({ say: 'unknown' });
  const { generationId } = (await start(person, person.imageId)).json();
  await vi.waitFor(() => expect(studio.testApp.engine.jobs.get(`fake-${generationId}`)?.starts).toBeGreaterThan(1));
});

test('a file that is not a video fails the generation and gives the star back', async () => {
  const person = await readyPerson();
  const rubbish = path.join(studio.testApp.database.dataDir, 'rubbish.mp4');
  await writeFile(rubbish, 'this is no video');
  studio.testApp.engine.behave({ say: 'completed', outputs: [{ path: rubbish, contentType: 'video/mp4' }] });
  const { generationId } = (await start(person, person.imageId)).json();
  await waitForStatus(person, generationId, 'failed');
  expect(await balanceOf(person)).toBe(2);
});

test('the watchdog fails what is older than 30 minutes; a late result is kept free of charge', async () => {
  const person = await readyPerson();
  const { generationId } = (await start(person, person.imageId)).json();
  await waitForStatus(person, generationId, 'generating');
  await studio.testApp.app.db.generation.update({
    where: { id: generationId },
    data: { createdAt: new Date(Date.now() - GENERATION_TIMEOUT_MS - 1000) },
  });
  await failOverdueGenerations(studio.testApp.app);
  expect(await stateOf(person, generationId)).toMatchObject({ status: 'failed', code: 'timed_out' });
  expect(await balanceOf(person)).toBe(2);

  letEngineFinish();
  await waitForStatus(person, generationId, 'completed');
  expect(await balanceOf(person)).toBe(2);
  expect((await call(person, { url: '/api/videos' })).json().videos).toHaveLength(1);
});

test('a running generation can be cancelled where the engine can stop it, and the star returns', async () => {
  const person = await readyPerson();
  studio.testApp.engine.answerCancel('cancelled');
  const { generationId } = (await start(person, person.imageId)).json();
  await waitForStatus(person, generationId, 'generating');
  const cancelled = await call(person, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
  expect(cancelled.json()).toMatchObject({ outcome: 'cancelled', message: expect.stringContaining('возвращены') });
  expect(await stateOf(person, generationId)).toMatchObject({ status: 'failed', code: 'cancelled' });
  expect(await balanceOf(person)).toBe(2);
  const again = await call(person, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
  expect(again.statusCode).toBe(409);
});

test('a generation that the engine cannot stop runs on and lands in the list', async () => {
  const person = await readyPerson();
  studio.testApp.engine.answerCancel('runs_on');
  const { generationId } = (await start(person, person.imageId)).json();
  await waitForStatus(person, generationId, 'generating');
  const answer = await call(person, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
  expect(answer.json().outcome).toBe('runs_on');
  letEngineFinish();
  await waitForStatus(person, generationId, 'completed');
  expect(await balanceOf(person)).toBe(1);
});
