import { beforeAll, describe, test } from 'vitest';
import { buildKernel } from '#api/adapters/generation-engines/local/kernel/build-kernel.ts';
import { MOTION_PRESETS } from '#shared/rules/motion-presets.ts';
import { expectStraightBars } from '#tests/api/adapters/generation-engines/local/ruled-videos.ts';
import { RULED_PHOTO_KINDS } from '#tests/fixtures/draw-ruled-photo.ts';

beforeAll(buildKernel);

describe.each(RULED_PHOTO_KINDS)('stripes and prints of a garment %s', (kind) => {
  describe.each(MOTION_PRESETS)('in «%s»', (preset) => {
    test.each([5, 10])('stay straight and run as in the photo for %i seconds', (seconds) =>
      expectStraightBars(kind, preset, seconds),
    );
  });
});
