import { Link } from 'react-router-dom';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { nb } from '#pwa/lib/format.ts';
import { BUY_STARS_PATH } from '#pwa/lib/paths.ts';
import { BUY_STARS } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import type { StartReadiness } from './start-readiness.ts';

export interface StartButtonProps {
  readiness: StartReadiness;
  isStarting: boolean;
  onStart: () => void;
}

/** The one primary action of the last step, with its price; disabled it says why. */
export function StartButton({ readiness, isStarting, onStart }: StartButtonProps) {
  return (
    <Button
      wide
      price={MODEL_CHANGE_PRICE}
      loading={isStarting}
      loadingText="Запускаем…"
      disabledReason={readiness.state === 'ready' ? null : readiness.reason}
      onClick={onStart}
    >
      Сменить модель
    </Button>
  );
}

/** What remains after the change, or what to do before it can be started. */
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
          <p className="num text-sm text-warning">
            {nb(`Нужна ${countStars(MODEL_CHANGE_PRICE)}, на балансе ${balance ?? 0}.`)}
          </p>
          <ButtonLink variant="second" to={BUY_STARS_PATH}>
            {BUY_STARS}
          </ButtonLink>
        </div>
      );
    case 'email_not_verified':
      return (
        <p className="text-sm text-muted mt-2">
          {nb('Генерация доступна после подтверждения email. ')}
          <Link className="link" to={PATHS.verifyEmail}>
            Подтвердить email
          </Link>
        </p>
      );
    case 'offline':
      return <p className="text-sm text-muted mt-2">{nb('Выбор сохранён: начните, когда появится сеть.')}</p>;
  }
}
