import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import type { GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import { encodeFileForm } from './forms.ts';
import { type Person, registerVerified } from './people.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

/** Storing a result encodes a copy, which is slow on a busy machine. */
const FINISH_TIMEOUT_MS = 60_000;

interface Call {
  method?: 'GET' | 'POST' | 'HEAD';
  url: string;
  payload?: object;
  headers?: Record<string, string>;
}

export type PersonWithPhoto = Person & { imageId: string };

/** Parts of the server that only some tests need. */
export type HarnessOptions = Pick<TestAppOptions, 'garmentChecker' | 'env'>;

/** The server with its background jobs and a fake engine, for one test file. Registers the hooks itself. */
export function useVideoHarness(options: HarnessOptions = {}) {
  let testApp: TestApp;
  const logLines: string[] = [];
  let videoFile: string;
  let photo: Buffer;

  beforeAll(async () => {
    testApp = await createTestApp({ ...options, onLogLine: (line) => logLines.push(line) });
    await startJobs(testApp.app);
    videoFile = path.join(testApp.database.dataDir, 'engine-video.mp4');
    await writeFile(videoFile, (await drawTestVideo()).content);
    photo = await drawProductPhoto('garment', { width: 300, height: 400 });
  });
  afterAll(() => testApp.close());
  beforeEach(() => testApp.engine.behave({ say: 'running' }));

  function call(
    person: Pick<Person, 'cookie'>,
    { method = 'GET', url, payload, headers = {} }: Call,
  ): Promise<LightMyRequestResponse> {
    return testApp.server.inject({
      method,
      url,
      headers: { cookie: person.cookie, ...headers },
      ...(payload ? { payload } : {}),
    });
  }

  async function readyPerson(): Promise<PersonWithPhoto> {
    const person = await registerVerified(testApp);
    const form = await encodeFileForm('image', { content: photo, name: 'photo.jpg', type: 'image/jpeg' });
    const uploaded = await call(person, {
      method: 'POST',
      url: '/api/upload',
      payload: form.body,
      headers: form.headers,
    });
    expect(uploaded.statusCode).toBe(200);
    return { ...person, imageId: uploaded.json().id };
  }

  function start(person: Pick<Person, 'cookie'>, imageId: string, settings: object = {}, headers = {}) {
    return call(person, { method: 'POST', url: '/api/generate', payload: { imageId, settings }, headers });
  }

  async function balanceOf(person: Person): Promise<number> {
    return (await call(person, { url: '/api/stars/balance' })).json().balance;
  }

  async function stateOf(person: Person, generationId: string) {
    return (await call(person, { url: `/api/status?generationId=${generationId}` })).json();
  }

  function waitForStatus(person: Person, generationId: string, status: GenerationStatus): Promise<void> {
    return vi.waitFor(async () => expect((await stateOf(person, generationId)).status).toBe(status), FINISH_TIMEOUT_MS);
  }

  /** From now on the engine delivers a small video. */
  function letEngineFinish(options: { afterPolls?: number } = {}): void {
    testApp.engine.behave({ say: 'completed', outputs: [{ path: videoFile, contentType: 'video/mp4' }], ...options });
  }

  async function finishVideo(person: PersonWithPhoto, settings: object = {}): Promise<string> {
    letEngineFinish();
    const { generationId } = (await start(person, person.imageId, settings)).json();
    await waitForStatus(person, generationId, 'completed');
    return generationId;
  }

  return {
    get testApp() {
      return testApp;
    },
    logLines,
    call,
    readyPerson,
    start,
    balanceOf,
    stateOf,
    waitForStatus,
    letEngineFinish,
    finishVideo,
  };
}
