import { Link } from 'react-router-dom';
import './videos.css';
import { Button } from '#pwa/components/button.tsx';
import { nb } from '#pwa/lib/format.ts';
import { BUY_STARS_PATH } from '#pwa/lib/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countStars } from '#shared/rules/plurals.ts';
import type { GenerateReadiness } from './generate-readiness.ts';
import { describeRemainingStars } from './generation-estimate.ts';

export interface GenerateActionProps {
  readiness: GenerateReadiness;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  /** The request is on its way or a video is being made. */
  isBusy: boolean;
  /** A video has just been made: the next one is «ещё». */
  isAgain: boolean;
  onGenerate: () => void;
}

/** The one primary action of the page: price, what remains, and why it cannot be pressed. */
export function GenerateAction({ readiness, balance, isBusy, isAgain, onGenerate }: GenerateActionProps) {
  const isReady = readiness.state === 'ready';
  return (
    <div className="generate-action">
      <Button
        size="lg"
        wide
        price={readiness.price}
        loading={isBusy}
        loadingText="Создаём видео…"
        disabledReason={isReady ? null : readiness.reason}
        title={readiness.state === 'offline' ? 'Нет сети' : undefined}
        onClick={onGenerate}
      >
        {isAgain ? 'Создать ещё' : 'Создать видео'}
      </Button>
      {!isBusy && <Hint readiness={readiness} balance={balance} />}
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
          {nb(`Нужно ${countStars(readiness.price)}, на балансе ${balance ?? 0}. `)}
          <Link className="link" to={BUY_STARS_PATH}>
            Купить звезды
          </Link>
        </p>
      );
    case 'email_not_verified':
      return (
        <p className={HINT}>
          {nb('Генерация доступна после подтверждения email. ')}
          <Link className="link" to={PATHS.verifyEmail}>
            Подтвердить email
          </Link>
        </p>
      );
    case 'photo_missing':
    case 'offline':
      return null;
  }
}

const HINT = 'num text-sm text-muted text-center mt-2';
