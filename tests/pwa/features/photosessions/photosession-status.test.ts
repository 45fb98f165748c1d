import { describe, expect, it } from 'vitest';
import {
  isLost,
  isRestorable,
  type PhotosessionFrame,
  placeFrames,
  pollPauseMs,
} from '#pwa/features/photosessions/photosession-status.ts';
import { ApiError } from '#pwa/lib/api-error.ts';

const processing = { status: 'processing' } as const;

describe('the polling of a photo session', () => {
  it('asks every 5 seconds while the session runs, and before the first answer', () => {
    expect(pollPauseMs(processing, null)).toBe(5000);
    expect(pollPauseMs(null, null)).toBe(5000);
  });

  it.each(['completed', 'failed'] as const)('ends with the status %s', (status) => {
    expect(pollPauseMs({ status }, null)).toBe(false);
  });

  it.each([0, 500, 502, 503])('goes on after an answer %d, only slower', (status) => {
    expect(pollPauseMs(processing, new ApiError(status, 'x'))).toBe(10_000);
    expect(isLost(new ApiError(status, 'x'))).toBe(false);
  });

  it.each([403, 404, 410])('gives the session up after an answer %d', (status) => {
    expect(pollPauseMs(processing, new ApiError(status, 'x'))).toBe(false);
    expect(isLost(new ApiError(status, 'x'))).toBe(true);
  });

  it('keeps the session of somebody whose sign-in has ended', () => {
    expect(pollPauseMs(processing, new ApiError(401, 'x'))).toBe(false);
    expect(isLost(new ApiError(401, 'x'))).toBe(false);
  });
});

describe('the restoring of a photo session', () => {
  const createdAt = '2026-11-21T10:00:00.000Z';
  const at = (minutes: number) => Date.parse(createdAt) + minutes * 60_000;

  it('takes a running session younger than two hours', () => {
    expect(isRestorable({ ...processing, createdAt }, at(119))).toBe(true);
    expect(isRestorable({ ...processing, createdAt }, at(120))).toBe(false);
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
