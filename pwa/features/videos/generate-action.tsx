import '#pwa/features/generations/generations.css';
import { Button } from '#pwa/components/button.tsx';
import { openBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { type Line, LineNote } from '#pwa/features/generations/line.tsx';
import { QUEUE_TEXTS } from '#pwa/features/generations/queue-texts.ts';
import { explainShortage, isIdle, type StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { VerifyEmailHint } from '#pwa/features/generations/verify-email-hint.tsx';
import { BUY_STARS } from '#pwa/messages.ts';
import { describeRemainingStars } from './generation-estimate.ts';

export interface GenerateActionProps {
  readiness: StartReadiness;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  /** The start request is in flight, or the shown choice is being made. */
  isBusy: boolean;
  /** It is being put in line. */
  isQueueing: boolean;
  /** Another video is being made, so this one is put in line behind it. */
  isQueued: boolean;
  line: Line;
  /** A video has just been made, so the next one is «ещё». */
  isAgain: boolean;
  /** A finished video is on the stage, whose own actions come first. */
  isResultShown: boolean;
  onGenerate: () => void;
}

/** The primary action of the page with its price, the stars that remain, and the reason when it is disabled. */
export function GenerateAction(props: GenerateActionProps) {
  const { readiness, balance, isBusy, isQueueing, isQueued, line, isAgain, isResultShown, onGenerate } = props;
  const isReady = readiness.state === 'ready';
  return (
    // Beside the stage it would stick over the settings.
    <div className={`start-action ${isIdle(readiness) || isResultShown ? 'is-idle' : ''} lg:static`}>
      <Button
        variant={isResultShown ? 'second' : 'primary'}
        size="lg"
        wide
        price={readiness.price}
        loading={isBusy || isQueueing}
        loadingText={isQueueing ? QUEUE_TEXTS.queueing : 'Создаём видео…'}
        disabledReason={isReady ? null : readiness.reason}
        title={readiness.state === 'offline' ? 'Нет сети' : undefined}
        onClick={onGenerate}
      >
        {isQueued ? QUEUE_TEXTS.queue : isAgain ? 'Создать ещё' : 'Создать видео'}
      </Button>
      {!isBusy && <Hint readiness={readiness} balance={balance} />}
      <LineNote line={line} className="text-center mt-2" />
    </div>
  );
}

function Hint({ readiness, balance }: Pick<GenerateActionProps, 'readiness' | 'balance'>) {
  switch (readiness.state) {
    case 'ready':
      if (readiness.remaining === null) return null;
      return <p className={HINT}>{describeRemainingStars(readiness.remaining)}</p>;
    case 'not_enough_stars':
      return (
        <p className={HINT}>
          {explainShortage(readiness, balance)}{' '}
          <button
            type="button"
            className="link"
            onClick={() => openBuyStars({ source: 'video', missingStars: readiness.needed - (balance ?? 0) })}
          >
            {BUY_STARS}
          </button>
        </p>
      );
    case 'email_not_verified':
      return <VerifyEmailHint className="text-center" />;
    case 'obstacle':
    case 'photo_missing':
    case 'offline':
      return null;
  }
}

const HINT = 'num text-sm text-muted text-center mt-2';
