import { toDeviceTime } from '#pwa/lib/server-clock.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { beginTracking, type Tracking } from './tracking.ts';
import { fromVideoSettings } from './video-form.ts';

/** The video among the running generations; there is at most one. */
export function findActiveVideo(generations: ActiveGeneration[]): ActiveGeneration | null {
  return generations.find((generation) => generation.kind === 'video') ?? null;
}

/** Follows a generation that the server names; whatever made it, this page or another door. */
export function fromActiveGeneration(active: ActiveGeneration, at: number): Tracking {
  return beginTracking(
    {
      generationId: active.generationId,
      subject: {
        photo: active.photo,
        thumbnailUrl: active.thumbnailUrl,
        form: fromVideoSettings(active.settings),
      },
      startedAt: toDeviceTime(active.createdAt),
      status: active.status,
      step: active.status,
      progress: active.progress,
    },
    at,
  );
}

/**
 * What to follow once the server has told which video runs. Null: nothing changes. The server wins over the
 * device's record; the record of a generation that no longer runs is still asked about, to learn how it ended.
 */
export function reconcileWithServer(
  followed: Tracking | null,
  active: ActiveGeneration | null,
  at: number,
): Tracking | null {
  if (!active || followed?.generationId === active.generationId) return null;
  return fromActiveGeneration(active, at);
}
