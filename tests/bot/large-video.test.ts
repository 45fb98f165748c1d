import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { createPayment, createVideoResult } from '#tests/support/factories.ts';

const harness = useBotHarness();
const LIMIT_BYTES = 50 * 1024 * 1024;

/** An empty MP4 box, which players skip. */
function emptyBox(bytes: number): Buffer {
  const box = Buffer.alloc(bytes);
  box.writeUInt32BE(bytes, 0);
  box.write('free', 4);
  return box;
}

it('an original over 50 MB comes as a smaller copy that plays, with the way to the whole one', async () => {
  const anna = await harness.newMember();
  const { app } = harness.testApp;
  const { id: accountId } = await harness.accountOf(anna);
  await createPayment(app.db, accountId);
  const result = await createVideoResult(app, accountId);
  await appendFile(path.join(app.config.dataDir, 'files', result.originalKey), emptyBox(LIMIT_BYTES));
  await app.db.result.update({ where: { id: result.id }, data: { bytes: result.bytes + LIMIT_BYTES } });
  await anna.ask('/gallery', /Ваши результаты/);
  const video = await anna.choose(/Видео, /, /Оригинал больше 50 МБ, здесь — сжатая копия/, { kind: 'video' });
  expect(video.text).toMatch(/на сайте: http:\/\/localhost:\d+\/dashboard\/create-video\?/);
  const bytes = harness.bytesOf(video.fileId);
  expect(bytes.length).toBeLessThan(LIMIT_BYTES);
  const file = path.join(app.config.dataDir, 'small.mp4');
  await writeFile(file, bytes);
  expect(await app.videoEncoder.probe(file)).toMatchObject({ codec: 'h264', width: result.width });
  await harness.settle(anna);
  await harness.finishJobs();
  expect(anna.messages().filter(({ kind }) => kind === 'document')).toEqual([]);
});
