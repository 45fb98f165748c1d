import { describe, test } from 'vitest';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import { expectUpright, SCENES } from '#tests/api/adapters/generation-engines/local/outline-scenes.ts';

describe.each(ASPECT_RATIOS)('a video of %s', (ratio) => {
  test.each(Object.keys(SCENES))('lets no line of %s lean, in any frame of any motion', (name) => {
    expectUpright(ratio, name);
  });
});
