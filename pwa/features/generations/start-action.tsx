import './generations.css';
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/format.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { BuyStarsButton } from './buy-stars-button.tsx';
import { isIdle, type StartReadiness } from './start-readiness.ts';
import { VerifyEmailHint } from './verify-email-hint.tsx';

export interface StartActionProps extends Pick<ButtonProps, 'wide' | 'price' | 'loadingText'> {
  kind: GenerationKind;
  readiness: StartReadiness;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  shortTitle: string;
  /** What to do before a start, when the tool knows it better than `readiness`. */
  photoReason?: string;
  isBusy: boolean;
  onStart: () => void;
  onBuyStars: () => void;
  /** The distance to what is above. */
  className: string;
  children: ReactNode;
}

/** The primary action of a page of pictures, or why it is not available. Without stars it leads to the purchase. */
export function StartAction(props: StartActionProps) {
  const { kind, readiness, balance, shortTitle, photoReason, isBusy, onStart, onBuyStars, ...rest } = props;
  const { className, children, ...look } = rest;
  const { state, price } = readiness;
  const isShort = state === 'not_enough_stars';
  return (
    <>
      {isShort && !isBusy && (
        <Notice
          tone="warning"
          className={className}
          title={shortTitle}
          action={
            <BuyStarsButton
              source={kind}
              missingStars={price - (balance ?? 0)}
              variant="second"
              size="sm"
              className="max-md:w-full"
            />
          }
        >
          {nb(`${pluralize(price, ['Нужна', 'Нужно', 'Нужно'])} ${countStars(price)}, на балансе ${balance ?? 0}.`)}
        </Notice>
      )}
      <div className={`start-action ${className} ${isIdle(readiness) ? 'is-idle' : ''}`}>
        <Button
          className="max-md:w-full"
          {...look}
          loading={isBusy}
          disabledReason={
            state === 'ready' || isShort ? null : (state === 'photo_missing' && photoReason) || readiness.reason
          }
          onClick={isShort ? onBuyStars : onStart}
        >
          {children}
        </Button>
        {state === 'email_not_verified' && <VerifyEmailHint />}
      </div>
    </>
  );
}
