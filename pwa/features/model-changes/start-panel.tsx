import { Button } from '#pwa/components/button.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { QUEUE_TEXTS } from '#pwa/features/generations/queue-texts.ts';
import { explainShortage, type StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { VerifyEmailHint } from '#pwa/features/generations/verify-email-hint.tsx';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { CHANGE_TEXTS } from './model-change-texts.ts';

export interface StartButtonProps {
  /** What the tool changes. */
  change: Change;
  readiness: StartReadiness;
  /** What has to be chosen on this step first. */
  gap: string | null;
  isStarting: boolean;
  isQueueing: boolean;
  /** Another change runs, so this one is put in line behind it. */
  isQueued: boolean;
  onStart: () => void;
}

/** The primary action of the last step, with its price. When disabled it shows the reason. */
export function StartButton({ change, readiness, gap, isStarting, isQueueing, isQueued, onStart }: StartButtonProps) {
  return (
    <Button
      wide
      price={readiness.price}
      loading={isStarting || isQueueing}
      loadingText={isQueueing ? QUEUE_TEXTS.queueing : 'Запускаем…'}
      disabledReason={readiness.state === 'ready' ? gap : readiness.reason}
      onClick={onStart}
    >
      {isQueued ? QUEUE_TEXTS.queue : CHANGE_TEXTS[change].start}
    </Button>
  );
}

/** The stars that remain after the change, or what to do before it can start. */
export function StartHint({ readiness, balance }: { readiness: StartReadiness; balance: number | null }) {
  switch (readiness.state) {
    case 'ready':
      if (readiness.remaining === null) return null;
      return (
        <p className="flex justify-between gap-3 text-sm mt-2">
          <span className="text-muted">Останется</span>
          <StarCount count={readiness.remaining} withWord />
        </p>
      );
    case 'not_enough_stars':
      return (
        <div className="grid gap-2 mt-3">
          <p className="num text-sm text-warning">{explainShortage(readiness, balance)}</p>
          <BuyStarsButton source="model_change" missingStars={readiness.needed - (balance ?? 0)} variant="second" />
        </div>
      );
    case 'email_not_verified':
      return <VerifyEmailHint />;
    case 'obstacle':
    case 'offline':
    case 'photo_missing':
      return null;
  }
}
