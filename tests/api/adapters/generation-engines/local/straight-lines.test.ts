import { beforeAll, describe, expect, test } from 'vitest';
import { buildKernel } from '#api/adapters/generation-engines/local/kernel/build-kernel.ts';
import { prepareScene, type Scene } from '#api/adapters/generation-engines/local/scene.ts';
import type { Sprite } from '#api/adapters/generation-engines/local/sprite.ts';
import { turnSprite } from '#api/adapters/generation-engines/local/turn-sprite.ts';
import { MOTION_PRESETS } from '#shared/rules/motion-presets.ts';
import {
  expectStraightBars,
  FRAME,
  findBars,
  MOST_BEND,
  MOST_DEGREES,
  renderFrames,
  sceneOf,
} from '#tests/api/adapters/generation-engines/local/ruled-videos.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { angleBetween, findLines, fitLine, type Line, matchLines } from '#tests/support/find-lines.ts';

/** The limit between the luma of the garment, lit or shaded, and that of its ground, shadows included. */
const HEM_LUMA = 162;

/** Finds the lower hem, where columns turn from cloth to ground between the lowest bar and the lower border. */
function findHem(luma: Uint8Array, lowestBar: Line): Line {
  const points = [];
  for (let x = Math.round(lowestBar.x - 40); x <= lowestBar.x + 40; x++) {
    for (let y = Math.round(lowestBar.y) + 8; y < FRAME.height - 1; y++) {
      const [above, below] = [luma[y * FRAME.width + x]!, luma[(y + 1) * FRAME.width + x]!];
      if (above > HEM_LUMA || below <= HEM_LUMA) continue;
      points.push({ x, y: y + (HEM_LUMA - above) / (below - above), weight: 1 });
      break;
    }
  }
  return fitLine(points);
}

const lowest = (bars: readonly Line[]) => bars.toSorted((a, b) => b.y - a.y)[0]!;

beforeAll(buildKernel);

// The slow suite `pixels` also has a standing figure, and videos of ten seconds.
describe.each(['hanging', 'in-a-street'] as const)('stripes and prints of a garment %s', (kind) => {
  test.each(MOTION_PRESETS)('stay straight and run as in the photo in «%s»', (preset) =>
    expectStraightBars(kind, preset, 5),
  );
});

test('the hem of a hanging garment stays straight and level in all motions', async () => {
  const scene = await sceneOf('hanging');
  for (const preset of MOTION_PRESETS) {
    for (const { frame, luma } of renderFrames(scene, preset, 10, 35)) {
      const hem = findHem(luma, lowest(findBars(luma)));
      expect(Math.abs(hem.degrees), `${preset}, frame ${frame}`).toBeLessThan(MOST_DEGREES);
      expect(hem.bend, `${preset}, frame ${frame}`).toBeLessThan(MOST_BEND);
    }
  }
});

test('a sprite that is turned for a picture keeps its stripes', async () => {
  const [width, height] = [240, 360];
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isBar =
        (Math.abs(y - 40) < 4 || Math.abs(y - 330) < 4) && Math.abs(x - 120) < 90
          ? true
          : Math.abs(x - 40) < 4 && Math.abs(y - 180) < 110;
      const isSlanting = Math.abs(x - y + 60) < 5 && y > 130 && y < 260;
      data.fill(isBar || isSlanting ? 10 : 180, (y * width + x) * 4, (y * width + x) * 4 + 3);
      data[(y * width + x) * 4 + 3] = 255;
    }
  }
  const sprite: Sprite = { width, height, data, cut: { left: false, top: false, right: false, bottom: false } };
  const linesOf = (of: Sprite) =>
    findLines(
      Uint8Array.from({ length: of.width * of.height }, (_, i) => (of.data[i * 4 + 3]! > 250 ? of.data[i * 4]! : 255)),
      of.width,
      60,
    );
  const before = linesOf(sprite);
  expect(before).toHaveLength(4);
  const after = matchLines(before, linesOf(await turnSprite(sprite, -24)));
  before.forEach((line, i) => {
    expect(angleBetween(line, after[i]!)).toBeLessThan(MOST_DEGREES);
    expect(after[i]!.bend).toBeLessThan(MOST_BEND);
  });
});

describe('a white thing before light grey', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await prepareScene(await drawProductPhoto('white-garment', { width: 720, height: 960 }), FRAME, 'обувь');
  });

  test('is moved with its ground, because apart from it its edges would dissolve', () => {
    expect(scene.isCutOut).toBe(false);
    expect(scene.verdict).toMatchObject({ isTrusted: false, reason: 'outline_faint' });
  });

  test.each(MOTION_PRESETS)('keeps its hem in every frame of «%s»', (preset) => {
    let inPhoto: number | undefined;
    for (const { frame, luma } of renderFrames(scene, preset, 5, 10)) {
      const shown = measureHemContrast(luma);
      inPhoto ??= shown;
      expect(shown, `frame ${frame}`).toBeGreaterThan(inPhoto * 0.75);
    }
  });
});

/** How much darker the rim at the lower hem is than the cloth above it, in the middle of the frame. */
function measureHemContrast(luma: Uint8Array): number {
  const dips: number[] = [];
  for (let x = Math.round(FRAME.width * 0.4); x < FRAME.width * 0.6; x++) {
    let deepest = 0;
    for (let y = Math.round(FRAME.height * 0.72); y < FRAME.height - 1; y++) {
      deepest = Math.max(deepest, luma[(y - 7) * FRAME.width + x]! - luma[y * FRAME.width + x]!);
    }
    dips.push(deepest);
  }
  return dips.reduce((sum, dip) => sum + dip, 0) / dips.length;
}
