import '#pwa/features/generations/generations.css';
import { LayoutGrid, ScanFace, Shirt, Timer } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { BuyStarsButton } from '#pwa/components/buy-stars-button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { isIdle, type StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { VerifyEmailHint } from '#pwa/features/generations/verify-email-hint.tsx';
import { nb } from '#pwa/lib/format.ts';
import { useFrameSort } from '#pwa/lib/tools.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import type { FrameSort } from '#shared/rules/tool-abilities.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';

export interface StartActionProps {
  readiness: StartReadiness;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isBusy: boolean;
  onStart: () => void;
  onBuyStars: () => void;
}

/** The primary action of the page, or why it is not available. */
export function StartAction({ readiness, balance, isBusy, onStart, onBuyStars }: StartActionProps) {
  const isShort = readiness.state === 'not_enough_stars';
  return (
    <>
      {isShort && !isBusy && (
        <Notice
          tone="warning"
          className="mt-8"
          title={PHOTOSESSION_TEXTS.notEnoughStars}
          action={
            <BuyStarsButton
              source="photosession"
              missingStars={readiness.price - (balance ?? 0)}
              variant="second"
              size="sm"
              className="max-md:w-full"
            />
          }
        >
          {nb(`Нужно ${countStars(PHOTOSESSION_PRICE)}, на балансе ${balance ?? 0}.`)}
        </Notice>
      )}
      <div className={`start-action mt-8 ${isIdle(readiness) ? 'is-idle' : ''}`}>
        <Button
          className="max-md:w-full"
          loading={isBusy}
          loadingText={PHOTOSESSION_TEXTS.processing}
          disabledReason={readiness.state === 'ready' || isShort ? null : readiness.reason}
          onClick={isShort ? onBuyStars : onStart}
        >
          {PHOTOSESSION_TEXTS.create}
        </Button>
        {readiness.state === 'email_not_verified' && <VerifyEmailHint />}
      </div>
    </>
  );
}

const PROMISES: Record<FrameSort, string> = {
  poses: 'Получится пять кадров 3:4 в разных позах',
  views: 'Получится пять разных кадров 3:4',
};

/** What becomes of the photo, before a session is started. */
export function SessionPromise() {
  const promise = PROMISES[useFrameSort()];
  return (
    <p className="text-muted max-w-[60ch]">
      {nb(`Загрузите одно фото вещи целиком. ${promise} для карточки товара — их можно увеличить и скачать.`)}
    </p>
  );
}

const SPEED = { Icon: Timer, title: 'Результат за минуты', text: 'Кадры появляются по одному' };
const FEATURES: Record<FrameSort, (typeof SPEED)[]> = {
  poses: [
    { Icon: LayoutGrid, title: '5 разных поз', text: 'Вещь целиком и крупно, в одном свете' },
    { Icon: ScanFace, title: 'Обработка ИИ', text: 'Вещь не меняется: крой и цвет с вашего фото' },
    SPEED,
  ],
  views: [
    {
      Icon: LayoutGrid,
      title: '5 разных кадров',
      text: 'Вещь целиком при другом свете и фоне, а где хватает пикселей — и крупные планы',
    },
    { Icon: Shirt, title: 'Вещь остаётся собой', text: 'Крой, цвет и поза — как на вашем фото' },
    SPEED,
  ],
};

/** What a photo session offers. */
export function FeatureCards() {
  return (
    <ul className="grid md:grid-cols-3 gap-5 mt-10 pt-6 border-t border-line">
      {FEATURES[useFrameSort()].map(({ Icon, title, text }) => (
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
