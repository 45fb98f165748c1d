import { pushState } from '#pwa/client/push.ts';
import { useStore } from '#pwa/device/store.ts';
import { useElapsedSeconds } from '#pwa/device/use-clock.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { Followed } from './followed-generation.ts';
import { describeWait } from './waiting-time.ts';

/** How far a running generation is, and what is said to whoever waits. Remote work takes minutes. */
export function useRunning(kind: GenerationKind, { startedAt, progress }: Followed<unknown>) {
  const elapsed = useElapsedSeconds(startedAt);
  // Promised only where this browser gets a notification.
  const isTold = useStore(pushState) === 'on';
  const place = kind === 'video' ? 'истории' : 'галерее';
  const news = isTold ? 'пришлём уведомление' : `результат появится в ${place}`;
  const share = progress?.share ?? null;
  const wait = describeWait(kind, progress, elapsed);
  return {
    elapsed,
    /** The work done, 0 to 1; null while unknown. */
    share,
    percent: share === null ? null : `${Math.round(share * 100)}\u00a0%`,
    /** One sentence. */
    hint: wait === null ? `Страницу можно закрыть — ${news}.` : `${wait}, страницу можно закрыть — ${news}.`,
  };
}
