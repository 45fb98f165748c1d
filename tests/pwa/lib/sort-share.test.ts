import { describe, expect, test } from 'vitest';
import { sortShare } from '#pwa/lib/received-photos.ts';

describe('of several files', () => {
  const pdf = { type: 'application/pdf', size: 8 };
  const photo = { type: 'image/jpeg', size: 8 };
  const png = { type: 'image/png', size: 8 };
  const untyped = { type: '', size: 8 };
  const text = { type: 'text/plain', size: 12 };
  const empty = { type: 'application/octet-stream', size: 0 };

  test('the first picture is the first, else the first document', () => {
    expect(sortShare([pdf, photo, png])?.first).toBe(photo);
    expect(sortShare([pdf])?.first).toBe(pdf);
    expect(sortShare([untyped])?.first).toBe(untyped);
  });

  test('the other pictures wait, and what is none is counted', () => {
    expect(sortShare([pdf, photo, text, png, empty, untyped])).toEqual({
      first: photo,
      others: [png, untyped],
      notPhotos: 2,
    });
    expect(sortShare([photo])).toEqual({ first: photo, others: [], notPhotos: 0 });
  });

  test('text, and the empty file of a form without one, are nothing', () => {
    expect(sortShare([])).toBeNull();
    expect(sortShare([empty])).toBeNull();
    expect(sortShare([text])).toBeNull();
  });
});
