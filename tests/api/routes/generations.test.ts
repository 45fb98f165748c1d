import { describe, expect, test } from 'vitest';
import { startSession } from '#api/services/accounts/sessions.ts';
import type { Account } from '#prisma/generated/client.ts';
import { getGeneration } from '#shared/contract/generations.ts';
import {
  GENERATION_FAILURES,
  GENERATION_KINDS,
  type GenerationFailureCode,
  type GenerationKind,
  type GenerationStatus,
} from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { createAccount, createPhoto, subjectOf } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const CHOICES: Record<GenerationKind, object> = {
  video: { duration: 10, preset: 'dance', aspectRatio: '1:1' },
  model_change: { modelId: 'w5', backgroundId: 'concrete', isModelReplaced: true },
  photosession: {},
  try_on: { category: 'tops' },
};

const testApp = useTestApp();

interface NewGeneration {
  kind: GenerationKind;
  status: GenerationStatus;
  failureCode?: GenerationFailureCode;
  frames?: number;
  isDeleted?: boolean;
}

/** Creates a generation of a new account, with its hold and the files so far. */
async function create(options: NewGeneration & { isPaid?: boolean }) {
  const { kind, status, failureCode, frames = 0, isDeleted = false, isPaid = false } = options;
  const { app } = testApp;
  const account = await createAccount(app, { isPaid });
  const photo = await createPhoto(app, account.id);
  const isFinal = status === 'completed' || status === 'failed';
  const { id } = await app.db.generation.create({
    data: {
      accountId: account.id,
      kind,
      status,
      inputs: { create: subjectOf(photo) },
      settings: CHOICES[kind],
      stars: 2,
      failureCode,
      requestHash: Buffer.alloc(32),
      engine: 'fake',
      expectedSeconds: 40,
      finishedAt: isFinal ? new Date() : null,
    },
  });
  const entry = (cause: 'hold' | 'release', delta: number) =>
    app.db.starEntry.create({
      data: { accountId: account.id, generationId: id, kind: cause, delta, causeKey: `${cause}:${id}` },
    });
  await entry('hold', -2);
  if (status === 'failed') await entry('release', 2);
  for (let position = 0; position < frames; position += 1) {
    await app.db.result.create({
      data: {
        accountId: account.id,
        kind,
        generationId: id,
        position,

        photoName: 'Фото',
        number: 1,
        title: 'Платье',
        width: 300,
        height: 400,
        originalKey: 'o',
        posterKey: 'p',
        thumbnailKey: 't',
        bytes: 5,
        posterBytes: 1,
        thumbnailBytes: 1,
        startedAt: new Date(),
        made: kind,
        contentType: kind === 'video' ? 'video/mp4' : 'image/jpeg',
        durationSeconds: kind === 'video' ? 5.04 : null,
        deletedAt: isDeleted ? new Date() : null,
      },
    });
  }
  return { id, account, photo };
}

async function get(account: Account, url: string) {
  const { token } = await startSession(testApp.app.db, account.id, { userAgent: 'test', sessionToken: null });
  return testApp.server.inject({ method: 'GET', url, headers: { cookie: `podium_session=${token}` } });
}

async function viewOf(account: Account, id: string) {
  const answer = await get(account, `/api/generations/${id}`);
  expect(answer.statusCode).toBe(200);
  return getGeneration.answer.parse(answer.json());
}

test.each(GENERATION_KINDS)(
  'a running %s is described with its photo, its choice, its progress and its price',
  async (kind) => {
    const { id, account, photo } = await create({ kind, status: 'generating' });
    const view = await viewOf(account, id);
    // A further photo of the tool is not there.
    expect(view.photos.slice(1)).toEqual(TOOLS[kind].inputs.slice(1).map(() => null));
    expect({ ...view, photos: view.photos.slice(0, 1) }).toMatchObject({
      id,
      kind,
      made: kind,
      status: 'generating',
      failure: null,
      results: [],
      starsSpent: 2,
      settings: CHOICES[kind],
      photos: [{ id: photo.id, name: 'photo.jpg', previewUrl: `/media/photos/${photo.id}/preview` }],
      progress: { share: null, finishedAt: null, expectedSeconds: 40 },
    });
  },
);

test.each([
  { kind: 'video', url: (id: string) => `/api/video-proxy/${id}`, durationSeconds: 5.04 },
  { kind: 'model_change', url: (id: string) => `/media/results/${id}/0/image`, durationSeconds: null },
  { kind: 'photosession', url: (id: string) => `/media/results/${id}/0/image`, durationSeconds: null },
] as const)('a finished $kind names its file as its owner may see it', async ({ kind, url, durationSeconds }) => {
  for (const isPaid of [false, true]) {
    const { id, account } = await create({ kind, status: 'completed', frames: 1, isPaid });
    expect((await viewOf(account, id)).results).toEqual([
      {
        id: expect.any(String),
        title: 'Платье',
        isRenamed: true,
        fileName: kind === 'video' ? 'Платье.mp4' : 'Платье.jpg',
        product: null,
        photoName: 'Фото',
        number: 1,
        position: 0,
        width: 300,
        height: 400,
        durationSeconds,
        url: url(id),
        previewUrl: `/media/results/${id}/0/poster`,
        isWatermarked: !isPaid,
        garmentCheck: null,
        report: null,
      },
    ]);
  }
});

test('frames of a session are listed while the others are still being made', async () => {
  const { id, account } = await create({ kind: 'photosession', status: 'generating', frames: 2 });
  expect((await viewOf(account, id)).results.map(({ position }) => position)).toEqual([0, 1]);
});

test.each(Object.entries(GENERATION_FAILURES))(
  'a failure by %s is explained in words and has cost nothing',
  async (code, message) => {
    const failureCode = code as GenerationFailureCode;
    const { id, account } = await create({ kind: 'model_change', status: 'failed', failureCode });
    expect(await viewOf(account, id)).toMatchObject({ status: 'failed', failure: { code, message }, starsSpent: 0 });
  },
);

test('a video that its owner has deleted is unknown; a change of model and a session have lost their pictures', async () => {
  const deleted = { status: 'completed', frames: 1, isDeleted: true } as const;
  const video = await create({ kind: 'video', ...deleted });
  const answer = await get(video.account, `/api/generations/${video.id}`);
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'generation_not_found']);
  for (const kind of ['model_change', 'photosession'] as const) {
    const { id, account } = await create({ kind, ...deleted });
    expect((await viewOf(account, id)).results).toEqual([]);
  }
});

describe('the status calls of the specification', () => {
  const ROUTES = {
    video: (id: string) => `/api/status?generationId=${id}`,
    model_change: (id: string) => `/api/change-model/status/${id}`,
    photosession: (id: string) => `/api/photosession/${id}/status`,
  } satisfies Partial<Record<GenerationKind, (id: string) => string>>;
  const KINDS = Object.keys(ROUTES) as (keyof typeof ROUTES)[];

  test.each(KINDS)('tell the same of a %s, and know no other kind', async (kind) => {
    for (const state of [
      { status: 'pending' },
      { status: 'completed', frames: 1 },
      { status: 'failed', failureCode: 'timed_out' },
    ] as const) {
      const { id, account } = await create({ kind, ...state });
      const { progress, failure, results } = await viewOf(account, id);
      const told = (await get(account, ROUTES[kind](id))).json();
      expect(told).toMatchObject({ progress, error: failure?.message ?? null, code: failure?.code ?? null });
      const url = results[0]?.url ?? null;
      expect(told).toMatchObject(
        {
          video: { videoUrl: url },
          model_change: { result_url: url },
          photosession: { images: results.map(() => ({ url })) },
        }[kind],
      );
      for (const other of KINDS.filter((one) => one !== kind)) {
        expect((await get(account, ROUTES[other](id))).statusCode).toBe(404);
      }
    }
  });
});
