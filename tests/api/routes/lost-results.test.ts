import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { reviewLostResults } from '#api/services/generations/results/lost-results.ts';
import { returnForReport } from '#api/services/stars/ledger.ts';
import type { Result } from '#prisma/generated/client.ts';
import { createImageResult, createPayment, createVideoResult, makeCopyOf } from '#tests/support/factories.ts';
import { finishJobs } from '#tests/support/finish-jobs.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { type UserWithPhoto, useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();
afterEach(() => vi.restoreAllMocks());

async function makeVideo(): Promise<{ user: UserWithPhoto; id: string; result: Result }> {
  const user = await harness.readyUser();
  const id = await harness.finishVideo(user);
  return { user, id, result: await makeCopyOf(harness.testApp.app, id) };
}

const remove = (key: string) => harness.testApp.app.storage.remove(key);
const lossOf = async (user: UserWithPhoto, id: string) =>
  (await harness.call(user, { url: `/api/generations/${id}` })).json().results[0].loss;
const askBack = (user: UserWithPhoto, id: string) =>
  harness.call(user, { method: 'POST', url: `/api/generations/${id}/return-lost-stars` });

/** As when the disk of the storage is not mounted, and a new process has begun in the empty folder. */
async function inAnEmptyStorage<T>(act: () => Promise<T>): Promise<T> {
  const { config, state } = harness.testApp.app;
  const folder = path.join(config.dataDir, 'files');
  await rename(folder, `${folder}-aside`);
  await mkdir(path.join(folder, '.parts'), { recursive: true });
  state.storageSample.forget();
  try {
    return await act();
  } finally {
    await rm(folder, { recursive: true });
    await rename(`${folder}-aside`, folder);
    state.storageSample.forget();
  }
}

async function expectLost(answer: Promise<{ statusCode: number; json(): { code: string } }>): Promise<void> {
  const { statusCode, json } = await answer.then((given) => ({ ...given, json: () => given.json() }));
  expect([statusCode, json().code]).toEqual([410, 'result_lost']);
}

describe('a result whose file is lost', () => {
  test('answers 410 with words wherever the file is asked for, and is shown as lost', async () => {
    const { user, id, result } = await makeVideo();
    await createPayment(harness.testApp.app.db, user.account.id);
    expect(await lossOf(user, id)).toBeUndefined();
    await remove(result.originalKey);
    await expectLost(harness.call(user, { url: `/api/video-proxy/${id}` }));
    await expectLost(harness.call(user, { url: `/api/video-proxy/${id}?download=1` }));
    expect((await harness.call(user, { method: 'HEAD', url: `/api/video-proxy/${id}` })).statusCode).toBe(410);
    await expectLost(harness.call(user, { url: `/api/gallery/archive?ids=${id}` }));
    await expectLost(harness.call(user, { url: `/api/videos/${id}/download-access` }));
    expect(await lossOf(user, id)).toEqual({ stars: 1, isReturned: false });
    const { videos } = (await harness.call(user, { url: '/api/videos' })).json();
    expect(videos[0].loss).toEqual({ stars: 1, isReturned: false });
    const said = harness.logLines.filter((line) => line.includes('"result_lost"') && line.includes(result.id));
    expect(said.filter((line) => line.includes('"action":"result_lost"'))).toHaveLength(1);
  });

  test('counts as lost when it has another size than the one that was stored', async () => {
    const { user, id, result } = await makeVideo();
    await createPayment(harness.testApp.app.db, user.account.id);
    await harness.testApp.app.storage.put(result.originalKey, Buffer.from('half'), 'video/mp4');
    await expectLost(harness.call(user, { url: `/api/video-proxy/${id}` }));
  });

  test('gives its stars back on request, once, and the books agree', async () => {
    const { user, id, result } = await makeVideo();
    await remove(result.originalKey);
    const before = await readBooks(harness.testApp.app);
    expect(await harness.balanceOf(user)).toBe(1);
    for (const _ of [1, 2]) {
      const answer = await askBack(user, id);
      expect([answer.statusCode, answer.json()]).toEqual([200, { stars: 1, message: '1\u00a0звезда возвращена' }]);
      expect(await harness.balanceOf(user)).toBe(2);
    }
    expect(await lossOf(user, id)).toEqual({ stars: 1, isReturned: true });
    const said = harness.logLines.filter((line) => line.includes('"lost_stars_returned"') && line.includes(id));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('"stars":1');
    const after = await readBooks(harness.testApp.app);
    expect(after.discrepancies).toEqual(before.discrepancies);
    expect(after.stars.lostFiles).toBe(before.stars.lostFiles + 1);
    expect(after.stars.corrections).toBe(before.stars.corrections);
  });

  test('gives nothing while its file is there, or is back', async () => {
    const { user, id, result } = await makeVideo();
    const { config, storage } = harness.testApp.app;
    expect((await askBack(user, id)).json().code).toBe('result_not_lost');
    const file = path.join(config.dataDir, 'files', result.originalKey);
    await rename(file, `${file}.aside`);
    await expectLost(harness.call(user, { url: `/api/gallery/archive?ids=${id}` })).catch(() => {});
    await rename(`${file}.aside`, file);
    expect((await askBack(user, id)).json().code).toBe('result_not_lost');
    expect(await lossOf(user, id)).toBeUndefined();
    expect(await storage.findSize(result.originalKey)).toBe(result.bytes);
  });

  test('gives nothing while the storage does not answer, or is an empty one in the place of ours', async () => {
    const { user, id, result } = await makeVideo();
    const { storage } = harness.testApp.app;
    await remove(result.originalKey);
    vi.spyOn(storage, 'findSize').mockRejectedValue(new StorageUnavailableError('test'));
    expect((await askBack(user, id)).statusCode).toBe(503);
    vi.restoreAllMocks();
    for (const _ of [1, 2, 3, 4]) await createImageResult(harness.testApp.app, user.account.id);
    const refused = await inAnEmptyStorage(() => askBack(user, id));
    expect(refused.json().code).toBe('storage_unavailable');
    expect(await harness.balanceOf(user)).toBe(1);
  });
});

async function returnByComplaint(accountId: number, { id, generationId }: Result): Promise<void> {
  const { db } = harness.testApp.app;
  const report = await db.resultReport.create({
    data: {
      accountId,
      generationId,
      resultId: id,
      reason: 'minor',
      isUrgent: false,
      status: 'closed',
      decision: 'stars_returned',
      closedAt: new Date(),
      closedById: accountId,
    },
  });
  await db.$transaction((tx) =>
    returnForReport(tx, { reportId: report.id, accountId, generationId, position: 0, share: 1 }),
  );
}

test('stars that a complaint has brought back already do not come back again', async () => {
  const { user, id, result } = await makeVideo();
  await returnByComplaint(user.account.id, result);
  await remove(result.originalKey);
  expect((await askBack(user, id)).json().code).toBe('loss_costs_nothing');
  expect(await lossOf(user, id)).toEqual({ stars: 0, isReturned: false });
});

test('a lost result that was made again for nothing is not repaid too, as long as the new one is there', async () => {
  const { app } = harness.testApp;
  const user = await harness.readyUser();
  const accountId = user.account.id;
  const first = await createImageResult(app, accountId);
  const { generationId } = first;
  await app.db.generation.update({ where: { id: generationId }, data: { stars: 1 } });
  const entry = { accountId, kind: 'hold', delta: -1, generationId } as const;
  await app.db.starEntry.create({ data: { ...entry, causeKey: `hold:${generationId}` } });
  const again = await createImageResult(app, accountId);
  await app.db.generation.update({
    where: { id: again.generationId },
    data: { stars: 0, rerollOfId: generationId, positions: [0] },
  });
  await remove(first.originalKey);
  const before = await harness.balanceOf(user);
  expect((await askBack(user, generationId)).json().code).toBe('loss_costs_nothing');
  expect(await lossOf(user, generationId)).toEqual({ stars: 0, isReturned: false });
  expect(await harness.balanceOf(user)).toBe(before);
  // Then neither is left of what was paid for.
  await remove(again.originalKey);
  expect((await askBack(user, again.generationId)).json().stars).toBe(1);
  expect(await harness.balanceOf(user)).toBe(before + 1);
});

test('an output and its free re-roll are repaid once together', async () => {
  const { app } = harness.testApp;
  const user = await harness.readyUser();
  const accountId = user.account.id;
  const first = await createImageResult(app, accountId);
  const again = await createImageResult(app, accountId);
  await app.db.generation.update({ where: { id: first.generationId }, data: { stars: 4 } });
  await app.db.starEntry.create({
    data: {
      accountId,
      kind: 'hold',
      delta: -1,
      causeKey: `hold:${first.generationId}`,
      generationId: first.generationId,
    },
  });
  await app.db.account.update({ where: { id: accountId }, data: { starBalance: { decrement: 1 } } });
  await app.db.generation.update({
    where: { id: again.generationId },
    data: { stars: 0, rerollOfId: first.generationId },
  });
  // So that the price of the whole is no limit.
  const hold = { accountId, kind: 'correction', delta: -3, generationId: first.generationId } as const;
  await app.db.account.update({ where: { id: accountId }, data: { starBalance: 10 } });
  await app.db.starEntry.create({ data: { ...hold, causeKey: `correction:${first.generationId}` } });
  await remove(first.originalKey);
  await remove(again.originalKey);
  const before = await harness.balanceOf(user);
  expect((await askBack(user, first.generationId)).json().stars).toBe(1);
  expect((await askBack(user, again.generationId)).json().stars).toBe(1);
  expect(await harness.balanceOf(user)).toBe(before + 1);
  expect(await lossOf(user, again.generationId)).toEqual({ stars: 1, isReturned: true });
});

test('nothing is returned while the generation runs', async () => {
  const { user, id, result } = await makeVideo();
  await remove(result.originalKey);
  await harness.testApp.app.db.generation.update({ where: { id }, data: { status: 'generating', finishedAt: null } });
  expect((await askBack(user, id)).json().code).toBe('loss_generation_runs');
  await harness.testApp.app.db.generation.update({ where: { id }, data: { status: 'completed' } });
});

test('a result whose file is back is no longer lost for whoever asks for it, and in lists after the clean-up', async () => {
  const { app } = harness.testApp;
  const [asked, listed, offered] = [await makeVideo(), await makeVideo(), await makeVideo()];
  const ids = [asked, listed, offered].map(({ result }) => result.id);
  await app.db.result.updateMany({ where: { id: { in: ids } }, data: { lostAt: new Date() } });
  expect((await harness.call(asked.user, { url: `/api/video-proxy/${asked.id}` })).statusCode).toBe(200);
  expect(await lossOf(asked.user, asked.id)).toBeUndefined();
  const access = await harness.call(offered.user, { url: `/api/videos/${offered.id}/download-access` });
  expect([access.statusCode, await lossOf(offered.user, offered.id)]).toEqual([200, undefined]);
  expect(await lossOf(listed.user, listed.id)).toBeDefined();
  await reviewLostResults(app);
  expect(await lossOf(listed.user, listed.id)).toBeUndefined();
});

test('an empty storage in the place of ours marks nothing as lost', async () => {
  const { user, id } = await makeVideo();
  const asked = await inAnEmptyStorage(() => harness.call(user, { url: `/api/video-proxy/${id}` }));
  expect(asked.statusCode).toBe(503);
  expect(await lossOf(user, id)).toBeUndefined();
});

test.each([
  ['picture', createImageResult],
  ['video', createVideoResult],
] as const)('a missing preview or thumbnail of a %s is made again from the original', async (_, create) => {
  const { app } = harness.testApp;
  const user = await harness.readyUser();
  await createPayment(app.db, user.account.id);
  const { id, generationId, posterKey, thumbnailKey } = await create(app, user.account.id);
  for (const [name, key] of [
    ['poster', posterKey],
    ['thumbnail', thumbnailKey],
  ] as const) {
    await remove(key);
    const answer = await harness.call(user, { url: `/media/results/${generationId}/0/${name}` });
    expect([name, answer.statusCode, answer.headers['content-type']]).toEqual([name, 200, 'image/webp']);
    expect(await app.storage.findSize(key)).toBe(answer.rawPayload.length);
  }
  expect((await app.db.result.findUniqueOrThrow({ where: { id } })).lostAt).toBeNull();
});

test('a missing picture leaves the good copies with the logo', async () => {
  const { app } = harness.testApp;
  const { user, id, result } = await makeVideo();
  await remove(result.posterKey);
  await harness.call(user, { url: `/media/results/${id}/0/poster` });
  const { watermarkedKey } = await app.db.result.findUniqueOrThrow({ where: { id: result.id } });
  expect(watermarkedKey).toBe(result.watermarkedKey);
});

test('a copy with the logo that is missing is made anew, and nothing counts as lost', async () => {
  const { user, id, result } = await makeVideo();
  await remove(result.watermarkedKey as string);
  const play = () => harness.call(user, { url: `/api/video-proxy/${id}` });
  expect((await play()).json().code).toBe('video_preparing');
  await finishJobs(harness.testApp.database.pool, ['make-video-copy']);
  expect((await play()).statusCode).toBe(200);
  expect(await lossOf(user, id)).toBeUndefined();
});

test('an archive goes on without a lost file and names it', async () => {
  const user = await harness.readyUser();
  const { app } = harness.testApp;
  await createPayment(app.db, user.account.id);
  const kept = await createImageResult(app, user.account.id, { title: 'Пальто' });
  const lost = await createImageResult(app, user.account.id, { title: 'Шарф' });
  await remove(lost.originalKey);
  const answer = await harness.call(user, { url: `/api/gallery/archive?ids=${kept.id},${lost.id}` });
  const files = await readZip(answer.rawPayload);
  expect([...files.keys()]).toEqual(['Пальто.jpg', 'Потерянные файлы.txt']);
  expect(files.get('Потерянные файлы.txt')?.toString()).toContain('Шарф.jpg');
  const { images } = (await harness.call(user, { url: '/api/gallery' })).json();
  expect(images.map(({ loss }: { loss?: object }) => loss !== undefined)).toEqual([true, false]);
});

describe('a broken original', () => {
  const breakFile = ({ originalKey, contentType }: Result) =>
    harness.testApp.app.storage.put(originalKey, Buffer.from('half'), contentType);

  test('of an owner who has paid cannot be analysed', async () => {
    const { app } = harness.testApp;
    const user = await harness.readyUser();
    await createPayment(app.db, user.account.id);
    const video = await createVideoResult(app, user.account.id);
    await breakFile(video);
    await expectLost(harness.call(user, { url: `/api/analyze-video/${video.generationId}` }));
  });

  test('of an owner whose money came back gives no copy with the logo', async () => {
    const { app } = harness.testApp;
    const user = await harness.readyUser();
    const video = await createVideoResult(app, user.account.id);
    const image = await createImageResult(app, user.account.id);
    for (const result of [video, image]) await breakFile(result);
    await expectLost(harness.call(user, { url: `/api/video-proxy/${video.generationId}` }));
    await expectLost(harness.call(user, { url: `/media/results/${image.generationId}/0/image` }));
  });

  test.each([true, false])('is left out of the data of its owner, who has paid: %s', async (hasPaid) => {
    const { app } = harness.testApp;
    const user = await harness.readyUser();
    if (hasPaid) await createPayment(app.db, user.account.id);
    const image = await createImageResult(app, user.account.id, { title: 'Шарф' });
    const whole = await createImageResult(app, user.account.id, { title: 'Пальто' });
    await breakFile(image);
    const answer = await harness.call(user, { url: '/api/account/export' });
    const results = [...(await readZip(answer.rawPayload)).keys()].filter((name) => name.startsWith('results/'));
    expect(results).toEqual([expect.stringContaining(whole.generationId)]);
  });
});

test('several lost frames are promised no more than their generation has cost', async () => {
  const { app } = harness.testApp;
  const user = await harness.readyUser();
  const accountId = user.account.id;
  const { generationId, ...first } = await createImageResult(app, accountId);
  const second = await createImageResult(app, accountId, { generationId, position: 1 });
  await app.db.generation.update({ where: { id: generationId }, data: { stars: 4 } });
  // A part of the price has come back before.
  const entry = { accountId, kind: 'correction', generationId, delta: -1 } as const;
  await app.db.starEntry.create({ data: { ...entry, causeKey: `correction:${generationId}` } });
  for (const { originalKey } of [first, second]) await remove(originalKey);
  await app.db.result.updateMany({ where: { generationId }, data: { lostAt: new Date() } });
  const { results } = (await harness.call(user, { url: `/api/generations/${generationId}` })).json();
  expect(results.map(({ loss }: { loss: { stars: number } }) => loss.stars)).toEqual([1, 0]);
  expect((await askBack(user, generationId)).json().stars).toBe(1);
});
