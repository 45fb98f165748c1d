import { describe, expect, it } from 'vitest';
import { findActiveVideo, reconcileWithServer } from '#pwa/features/videos/restore-generation.ts';
import { beginTracking } from '#pwa/features/videos/tracking.ts';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';
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

  it('ignores generations of other tools', () => {
    expect(findActiveVideo([{ ...active, kind: 'photosession' }])).toBeNull();
    expect(findActiveVideo([{ ...active, kind: 'model_change' }, active])).toBe(active);
  });
});
