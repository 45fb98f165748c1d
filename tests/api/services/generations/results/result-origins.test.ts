import { afterAll, beforeAll, expect, test } from 'vitest';
import { madeOf } from '#api/services/generations/results/result-origins.ts';
import { listResults } from '#api/services/generations/results/results.ts';
import { completeGeneration } from '#api/services/generations/running/outcome.ts';
import type { Result } from '#prisma/generated/client.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { listKindsMaking, TOOLS } from '#shared/rules/tools.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const SIZES = { posterBytes: 1, thumbnailBytes: 1 };
let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

/** A model change that keeps the person, with its one result. */
async function completeModelChange() {
  const { app } = testApp;
  const account = await createAccount(app);
  const id = await createGeneration(app, account.id, 'model_change', 'generating');
  const background = app.catalogue.backgrounds.find(({ type }) => type !== 'keep_original');
  await app.db.generation.update({
    where: { id },
    data: {
      settings: { modelId: null, backgroundId: background?.id, isModelReplaced: false },
      createdAt: new Date('2026-11-01T10:00:00Z'),
      stars: 0,
    },
  });
  const generation = await app.db.generation.findUniqueOrThrow({ where: { id } });
  const file = { originalKey: 'o', posterKey: 'p', thumbnailKey: 't', contentType: 'image/jpeg', ...SIZES };
  await completeGeneration(app, generation, [{ ...file, position: 0, bytes: 1, width: 900, height: 1200 }]);
  return app.db.result.findFirstOrThrow({ where: { generationId: id } });
}

test('a booked result knows by itself when its generation was started, and what it made', async () => {
  expect(await completeModelChange()).toMatchObject({
    startedAt: new Date('2026-11-01T10:00:00Z'),
    made: 'background_change',
    hasDrifted: false,
  });
});

test('a result whose kind of result is no longer known is shown as what its tool makes', async () => {
  expect(madeOf({ made: 'hologram', kind: 'model_change' })).toBe('model_change');
});

test('a page of all pictures has every kind of picture with all its columns, and no video', async () => {
  const { app } = testApp;
  const account = await createAccount(app);
  const pictures: Result[] = [];
  for (const kind of GENERATION_KINDS) {
    const generationId = await createGeneration(app, account.id, kind);
    const file = {
      originalKey: 'o',
      posterKey: 'p',
      thumbnailKey: 't',
      contentType: 'x',
      bytes: 1,
      ...SIZES,
      width: 1,
      height: 1,
    };
    const row = await app.db.result.create({
      data: {
        ...file,
        accountId: account.id,
        generationId,
        kind,
        position: 0,
        photoName: 'Фото',
        number: 1,
        lostAt: new Date(),
        startedAt: new Date(),
        made: kind,
      },
    });
    if (TOOLS[kind].outputs.type === 'picture') pictures.push(row);
  }
  const list = async (page: { sort: 'newest' | 'oldest'; cursor?: string | undefined }) => {
    return listResults(app.db, account.id, { ...page, kinds: listKindsMaking('picture'), limit: 10 });
  };
  const listed = await list({ sort: 'oldest' });
  expect(listed).toEqual(pictures.map((picture, index) => pick(picture, Object.keys(listed?.[index] ?? {}))));
  const [first] = pictures.toReversed();
  expect(await list({ sort: 'newest', cursor: first?.id })).toEqual(listed?.toReversed().slice(1));
});

function pick(row: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)));
}
