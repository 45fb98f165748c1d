import { describe, expect, test } from 'vitest';
import { sortShare } from '#pwa/features/uploads/received-photos.ts';

const file = (content: string, type = '') => new Blob([Buffer.from(content, 'latin1')], { type });

describe('of several files', () => {
  const pdf = file('%PDF-1.7', 'application/pdf');
  const photo = file('\xff\xd8\xff\xe0', 'image/jpeg');
  const png = file('\x89PNG\r\n\x1a\n', 'image/png');
  const untyped = file('\0\0\0\x18ftypheic\0\0\0\0mif1heic');
  const misnamed = file('RIFF\x10\0\0\0WEBPVP8 ', 'application/octet-stream');
  const gif = file('GIF89a', 'image/gif');
  const text = file('заметка', 'text/plain');
  const empty = file('', 'application/octet-stream');

  test('the first photo is the first, else the first document', async () => {
    expect((await sortShare([pdf, gif, misnamed, png]))?.first).toBe(misnamed);
    expect((await sortShare([pdf]))?.first).toBe(pdf);
    expect((await sortShare([text, gif]))?.first).toBe(gif);
  });

  test('the other photos wait, and what is none is counted', async () => {
    expect(await sortShare([pdf, photo, text, png, empty, untyped])).toEqual({
      first: photo,
      others: [png, untyped],
      notPhotos: 2,
    });
    expect(await sortShare([photo])).toEqual({ first: photo, others: [], notPhotos: 0 });
  });

  test('text, and the empty file of a form without one, are nothing', async () => {
    expect(await sortShare([])).toBeNull();
    expect(await sortShare([empty])).toBeNull();
    expect(await sortShare([text])).toBeNull();
  });
});
