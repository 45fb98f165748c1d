import { test } from 'vitest';
import { expectOpenGaps } from '#tests/api/adapters/generation-engines/local/expect-open-gaps.ts';

test.each([1000, 1600])('no old ground is left in gaps that limbs close, in a photo %i pixels high', expectOpenGaps);
