import { afterEach, expect, it, vi } from 'vitest';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { endPauses } from '#tests/support/finish-jobs.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';

const harness = useBotHarness();
afterEach(() => vi.restoreAllMocks());

async function orderVideo(user: TelegramUser): Promise<void> {
  await harness.openVideoMenu(user);
  harness.letEngineFinish();
  user.press(/Создать за/);
}

const videosOf = (user: TelegramUser) => user.messages().filter(({ kind }) => kind === 'video');

it('whoever has not paid is told that the video is being prepared, and gets it once when that is done', async () => {
  const anna = await harness.newMember();
  const { videoEncoder } = harness.testApp.app;
  const addWatermark = videoEncoder.addWatermark.bind(videoEncoder);
  const release = Promise.withResolvers<void>();
  vi.spyOn(videoEncoder, 'addWatermark').mockImplementation(async (request) => {
    await release.promise;
    await addWatermark(request);
  });
  await orderVideo(anna);
  await anna.waitFor(/Видео: готово за .+ Готовим для просмотра и пришлём сюда/);
  expect(videosOf(anna)).toEqual([]);
  release.resolve();
  await anna.waitFor(/Видео готово/, { kind: 'video' });
  await harness.finishJobs();
  expect(videosOf(anna)).toHaveLength(1);
});

it('while the storage is away nothing is said to have failed, and the video comes when the storage is back', async () => {
  const vera = await harness.newMember();
  const { database, app } = harness.testApp;
  const addWatermark = vi
    .spyOn(app.videoEncoder, 'addWatermark')
    .mockRejectedValue(new StorageUnavailableError(new Error('nobody answers')));
  await orderVideo(vera);
  await harness.waitUntil(async () => {
    await endPauses(database.pool, 'make-video-copy');
    expect(addWatermark.mock.calls.length).toBeGreaterThan(4);
  });
  addWatermark.mockRestore();
  await vera.waitFor(/Видео готово/, { kind: 'video' });
  expect(vera.messages().filter(({ text }) => text.includes('Не получилось подготовить'))).toEqual([]);
});

it('a copy that cannot be made is told once, and the button below has it made and sent', async () => {
  const boris = await harness.newMember();
  const addWatermark = vi
    .spyOn(harness.testApp.app.videoEncoder, 'addWatermark')
    .mockRejectedValue(new Error('the encoder fails'));
  await orderVideo(boris);
  await boris.waitFor(/Не получилось подготовить видео для просмотра/);
  await harness.finishJobs();
  expect(boris.messages().filter(({ text }) => text.includes('Не получилось подготовить'))).toHaveLength(1);
  addWatermark.mockRestore();
  await boris.choose('Прислать сюда', /Видео готово/, { kind: 'video' });
});
