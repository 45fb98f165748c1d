import { describe, expect, test } from 'vitest';
import { planStudioPoses, planUncutPoses } from '#api/adapters/generation-engines/local/pose-plan.ts';
import { chooseSupport } from '#api/adapters/generation-engines/local/subject-layout.ts';
import { hasCloseUps } from '#shared/rules/close-ups.ts';
import { judgeForMarketplaces } from '#shared/rules/marketplaces.ts';

const PHOTOS = [
  [300, 400],
  [300, 1200],
  [768, 1024],
  [900, 1200],
  [1000, 1334],
  [1600, 1200],
  [1200, 1600],
  [2048, 2732],
  [4000, 6000],
] as const;

const NOWHERE = { left: false, top: false, right: false, bottom: false };
/** The sizes of subjects, as shares of the photo. */
const SUBJECTS = {
  'a garment that fills the photo': { width: 0.86, height: 0.8, cut: NOWHERE },
  'a garment far away': { width: 0.3, height: 0.28, cut: NOWHERE },
  'a standing person': { width: 0.3, height: 0.92, cut: NOWHERE },
  'a person cut off at the hips': { width: 0.6, height: 0.85, cut: { ...NOWHERE, bottom: true } },
  'a shoe': { width: 0.8, height: 0.4, cut: NOWHERE },
};

function planAll([width, height]: readonly [number, number]) {
  const file = { width, height };
  const harness = Object.entries(SUBJECTS).map(([name, share]) => {
    const subject = { width: share.width * width, height: share.height * height, cut: share.cut };
    const support = chooseSupport({ ...subject, data: new Uint8Array() }, false);
    return { name, poses: planStudioPoses(subject, support, file) };
  });
  const boxes = [
    { left: 0, top: 0, right: 1, bottom: 1 },
    { left: 0.2, top: 0.1, right: 0.75, bottom: 0.9 },
    { left: 0.3, top: 0.4, right: 0.6, bottom: 0.7 },
  ];
  return [...harness, ...boxes.map((box, i) => ({ name: `no outline ${i}`, poses: planUncutPoses(file, box) }))];
}

describe('the plan of a photo session', () => {
  test.each(PHOTOS)(
    'has five different frames that marketplaces take, whatever a photo of %d x %d shows',
    (...photo) => {
      const isLarge = Math.min(photo[0], (photo[1] * 3) / 4) >= 1200;
      for (const { name, poses } of planAll(photo)) {
        expect(poses, name).toHaveLength(5);
        const views = poses.map(({ size: _, enlargement: __, ...view }) => JSON.stringify(view));
        expect(new Set(views).size, name).toBe(5);
        for (const { size } of poses) {
          expect(size.width, name).toBeGreaterThanOrEqual(isLarge ? 1200 : 900);
          const file = { ...size, bytes: 500_000, durationSeconds: null, hasWatermark: false };
          expect(
            judgeForMarketplaces(file).every(({ fits }) => fits),
            name,
          ).toBe(true);
        }
      }
    },
  );

  test.each(PHOTOS)('never enlarges a close-up of a photo of %d x %d by more than 1.35', (...photo) => {
    for (const { name, poses } of planAll(photo)) {
      for (const pose of poses)
        if (pose.isCloseUp) expect(pose.enlargement, `${name} ${pose.view}`).toBeLessThanOrEqual(1.35);
    }
  });

  test('has close-ups for exactly the photo sizes for which the page promises them', () => {
    for (const ratio of [3 / 4, 9 / 16, 2 / 7, 1, 4 / 3, 16 / 9]) {
      for (let width = 300; width <= 2400; width += 25) {
        const photo = [width, Math.round(width / ratio)] as const;
        const planned = planAll(photo).filter(({ poses }) => poses.some(({ isCloseUp }) => isCloseUp));
        expect(planned.length > 0, photo.join('x')).toBe(hasCloseUps({ width: photo[0], height: photo[1] }));
      }
    }
  });

  test('shows a small garment whole in five rooms, and a large one from nearer too', () => {
    const garment = (width: number, height: number) =>
      planStudioPoses({ width: width * 0.86, height: height * 0.8, cut: NOWHERE }, 'wall', { width, height });
    expect(garment(768, 1024)).toMatchObject(
      ['front', 'turned', 'window', 'disc', 'arch'].map((ground) => ({ view: 'subject', ground, isCloseUp: false })),
    );
    expect(garment(1000, 1334).map(({ isCloseUp }) => isCloseUp)).toEqual([false, false, true, false, false]);
    expect(garment(2048, 2732).map(({ view, isCloseUp }) => isCloseUp && view)).toEqual([
      false,
      false,
      'subject',
      'detail',
      false,
    ]);
  });

  test('shows a small photo of a street as prints, and cuts windows out of a large one', () => {
    const street = (width: number, height: number) =>
      planUncutPoses({ width, height }, { left: 0, top: 0, right: 1, bottom: 1 }).map(({ view }) => view);
    expect(street(768, 1024)).toEqual(['photo', 'print', 'print', 'print', 'print']);
    expect(street(1200, 1600)).toEqual(['photo', 'print', 'crop', 'crop', 'print']);
    expect(street(2048, 2732)).toEqual(['photo', 'crop', 'crop', 'crop', 'detail']);
  });
});
