import { describe, expect, it } from 'vitest';
import { isRestorable, type PhotosessionFrame, placeFrames } from '#pwa/features/photosessions/photosession-status.ts';

describe('the restoring of a photo session', () => {
  const createdAt = '2026-11-21T10:00:00.000Z';
  const at = (minutes: number) => Date.parse(createdAt) + minutes * 60_000;

  it('takes a running session younger than two hours', () => {
    expect(isRestorable({ status: 'processing', createdAt }, at(119))).toBe(true);
    expect(isRestorable({ status: 'processing', createdAt }, at(120))).toBe(false);
  });

  it('leaves a session that has ended', () => {
    expect(isRestorable({ status: 'completed', createdAt }, at(1))).toBe(false);
    expect(isRestorable({ status: 'failed', createdAt }, at(1))).toBe(false);
  });
});

describe('the frames of a photo session', () => {
  const frame = (position: number): PhotosessionFrame => ({
    id: `f${position}`,
    url: '/u',
    previewUrl: '/p',
    isWatermarked: false,
    position,
    width: 1200,
    height: 1600,
  });

  it('stand in their own places, however they come', () => {
    expect(placeFrames([frame(3), frame(0)]).map((image) => image?.id ?? null)).toEqual(['f0', null, null, 'f3', null]);
  });
});
