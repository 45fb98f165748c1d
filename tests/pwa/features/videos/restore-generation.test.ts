import { afterEach, describe, expect, it } from 'vitest';
import { findActiveVideo, reconcileWithServer } from '#pwa/features/videos/restore-generation.ts';
import { advanceTracking, beginTracking } from '#pwa/features/videos/tracking.ts';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';
import { compareClocks } from '#pwa/lib/server-clock.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';

const NOW = Date.parse('2026-11-21T12:05:00Z');
const PHOTO = {
  id: 'p1',
  name: 'платье.jpg',
  width: 1200,
  height: 1600,
  size: 100_000,
  type: 'image/jpeg',
  previewUrl: '/media/p.webp',
  thumbnailUrl: '/media/t.webp',
};

const active: ActiveGeneration = {
  id: 'g-server',
  generationId: 'g-server',
  kind: 'video',
  made: 'video',
  status: 'generating',
  createdAt: '2026-11-21T12:00:00.000Z',
  settings: { duration: 10, preset: 'dance', aspectRatio: '1:1' },
  thumbnailUrl: '/media/t.webp',
  photo: PHOTO,
  progress: { share: 0.3, startedAt: '2026-11-21T12:00:00.000Z', finishedAt: null, expectedSeconds: 40 },
};
const subject = { photo: null, thumbnailUrl: null, form: DEFAULT_VIDEO_FORM };

function followed(generationId: string) {
  return beginTracking({ generationId, subject, startedAt: NOW }, NOW);
}

afterEach(() => compareClocks(new Date(NOW).toUTCString(), NOW));

describe('restoring what runs on the server', () => {
  it('follows a generation that this device knows nothing of', () => {
    expect(reconcileWithServer(null, active, NOW)).toMatchObject({
      generationId: 'g-server',
      status: 'generating',
      startedAt: Date.parse(active.createdAt),
      nextPollAt: NOW,
      subject: {
        photo: PHOTO,
        thumbnailUrl: '/media/t.webp',
        form: { preset: 'dance', duration: 10, aspectRatio: '1:1' },
      },
    });
  });

  it('leaves alone a generation that is followed already', () => {
    expect(reconcileWithServer(followed('g-server'), active, NOW)).toBeNull();
  });

  it('prefers the server’s generation to the device’s record', () => {
    expect(reconcileWithServer(followed('g-old'), active, NOW)?.generationId).toBe('g-server');
  });

  it('keeps asking about the device’s record when the server runs nothing: it has ended', () => {
    expect(reconcileWithServer(followed('g-old'), null, NOW)).toBeNull();
  });

  it.each([-3, 3])('counts the minutes that have passed by the server, with a device %i hours off', (hours) => {
    const deviceNow = NOW + hours * 3_600_000;
    compareClocks(new Date(NOW).toUTCString(), deviceNow);
    const restored = reconcileWithServer(null, active, deviceNow);
    expect(restored && deviceNow - restored.startedAt).toBe(5 * 60_000);
  });

  it('watches for the whole 25 minutes from now on, however long ago the generation began', () => {
    const late = Date.parse(active.createdAt) + 26 * 60_000;
    const restored = reconcileWithServer(null, active, late);
    const answer = {
      ...{ status: active.status, progress: active.progress, videoUrl: null, videoId: null },
      ...{ error: null, message: null, code: null },
    };
    expect(restored && advanceTracking(restored, { type: 'answered', at: late, answer })).toMatchObject({
      step: 'generating',
      nextPollAt: late + 10_000,
    });
  });

  it('ignores generations of other tools', () => {
    expect(findActiveVideo([{ ...active, kind: 'photosession' }])).toBeNull();
    expect(findActiveVideo([{ ...active, kind: 'model_change' }, active])).toBe(active);
  });
});
