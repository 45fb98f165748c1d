import { afterEach, expect, test, vi } from 'vitest';
import { fetchFile } from '#pwa/client/fetch-file.ts';
import { downloadImage } from '#shared/contract/downloads.ts';

afterEach(() => vi.unstubAllGlobals());

/** Answers with a file in four pieces. */
function answerWith(bytes: number): void {
  const piece = new Uint8Array(bytes / 4);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let sent = 0; sent < 4; sent++) controller.enqueue(piece);
      controller.close();
    },
  });
  const headers = { 'content-length': String(bytes), 'content-type': 'image/jpeg' };
  vi.stubGlobal('location', new URL('https://podium.test'));
  vi.stubGlobal('fetch', async () => new Response(body, { headers }));
}

test.each([
  ['a long file is told', 4_000_000, [25, 50, 75, 100]],
  ['a short file is not told', 400_000, []],
])('the progress of %s, and the file is whole', async (_what, bytes, told) => {
  answerWith(bytes);
  const percents: number[] = [];
  const onProgress = (percent: number) => percents.push(percent);
  const { blob } = await fetchFile(downloadImage, { body: { imageId: 'image-1' } }, { onProgress });
  expect(percents).toEqual(told);
  expect([blob.size, blob.type]).toEqual([bytes, 'image/jpeg']);
});
