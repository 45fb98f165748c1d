import { LayoutGrid, ScanFace, Timer } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/lib/format.ts';
import { BUY_STARS_PATH } from '#pwa/lib/paths.ts';
import { BUY_STARS } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';
import type { StartReadiness } from './start-readiness.ts';

export interface StartActionProps {
  readiness: StartReadiness;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isBusy: boolean;
  onStart: () => void;
  onBuyStars: () => void;
}

/** The one primary action of the page, and why it cannot be pressed. */
export function StartAction({ readiness, balance, isBusy, onStart, onBuyStars }: StartActionProps) {
  const isShort = readiness.state === 'not_enough_stars';
  return (
    <div className="mt-8">
      {isShort && !isBusy && (
        <Notice
          tone="warning"
          className="mb-4"
          title={PHOTOSESSION_TEXTS.notEnoughStars}
          action={
            <ButtonLink to={BUY_STARS_PATH} variant="second" size="sm" className="max-md:w-full">
              {BUY_STARS}
            </ButtonLink>
          }
        >
          {nb(`Нужно ${countStars(PHOTOSESSION_PRICE)}, на балансе ${balance ?? 0}.`)}
        </Notice>
      )}
      <Button
        className="max-md:w-full"
        loading={isBusy}
        loadingText={PHOTOSESSION_TEXTS.processing}
        disabledReason={readiness.state === 'ready' || isShort ? null : readiness.reason}
        onClick={isShort ? onBuyStars : onStart}
      >
        {PHOTOSESSION_TEXTS.create}
      </Button>
      {readiness.state === 'email_not_verified' && (
        <p className="text-sm text-muted mt-2">
          {nb('Генерация доступна после подтверждения email. ')}
          <Link className="link" to={PATHS.verifyEmail}>
            Подтвердить email
          </Link>
        </p>
      )}
    </div>
  );
}

const FEATURES = [
  { Icon: LayoutGrid, title: '5 разных поз', text: 'От общего плана до детали ткани' },
  { Icon: ScanFace, title: 'Обработка ИИ', text: 'Вещь не меняется: крой и цвет с вашего фото' },
  { Icon: Timer, title: 'Результат за минуты', text: 'Кадры появляются по одному' },
];

/** What a session gives. */
export function FeatureCards() {
  return (
    <ul className="grid md:grid-cols-3 gap-5 mt-10 pt-6 border-t border-line">
      {FEATURES.map(({ Icon, title, text }) => (
        <li key={title} className="flex gap-3">
          <Icon className="ic mt-0.5" />
          <div className="min-w-0">
            <div className="font-semibold text-sm">{nb(title)}</div>
            <p className="text-sm text-muted">{nb(text)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
