import { describe, expect, it } from 'vitest';
import { createStartIntent, isUncertain } from '#pwa/client/start-intent.ts';

describe('the Idempotency-Key of a start', () => {
  it('stays the same while the answer is not known', () => {
    const intent = createStartIntent();
    expect(intent.keyFor({ imageId: 'p1' })).toBe(intent.keyFor({ imageId: 'p1' }));
  });

  it('is new for another request and after a certain answer', () => {
    const intent = createStartIntent();
    const first = intent.keyFor({ imageId: 'p1' });
    expect(intent.keyFor({ imageId: 'p2' })).not.toBe(first);
    const second = intent.keyFor({ imageId: 'p1' });
    intent.settle();
    expect(intent.keyFor({ imageId: 'p1' })).not.toBe(second);
  });

  it('is kept when the server may have acted unseen', () => {
    expect([0, 502, 504].every(isUncertain)).toBe(true);
    expect([400, 402, 409, 429].some(isUncertain)).toBe(false);
  });
});
