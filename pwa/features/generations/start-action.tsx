import './generations.css';
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { openBuyStars } from './buy-stars.ts';
import { BuyStarsButton } from './buy-stars-button.tsx';
import { type Line, LineNote } from './line.tsx';
import { QUEUE_TEXTS } from './queue-texts.ts';
import { explainShortage, isIdle, type StartReadiness } from './start-readiness.ts';
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
  /** Another one runs, so this one is put in line behind it. */
  isQueued: boolean;
  line: Line;
  onStart: () => void;
  /** The distance to what is above. */
  className: string;
  children: ReactNode;
}

/** The primary action of a page of pictures, or why it is not available. Without stars it leads to the purchase. */
export function StartAction(props: StartActionProps) {
  const { kind, readiness, balance, shortTitle, photoReason, isBusy, isQueued, line, onStart, ...rest } = props;
  const { className, loadingText, price, children, ...look } = rest;
  const { state } = readiness;
  const shortage = state === 'not_enough_stars' ? readiness : null;
  const missingStars = shortage ? shortage.needed - (balance ?? 0) : 0;
  return (
    <>
      {shortage && !isBusy && (
        <Notice
          tone="warning"
          className={className}
          title={shortTitle}
          action={
            <BuyStarsButton
              source={kind}
              missingStars={missingStars}
              variant="second"
              size="sm"
              className="max-md:w-full"
            />
          }
        >
          {explainShortage(shortage, balance)}
        </Notice>
      )}
      <div className={`start-action ${className} ${isIdle(readiness) ? 'is-idle' : ''}`}>
        <Button
          className="max-md:w-full"
          {...look}
          price={isQueued ? readiness.price : price}
          loading={isBusy}
          loadingText={isQueued ? QUEUE_TEXTS.queueing : loadingText}
          disabledReason={
            state === 'ready' || shortage ? null : (state === 'photo_missing' && photoReason) || readiness.reason
          }
          onClick={shortage ? () => openBuyStars({ source: kind, missingStars }) : onStart}
        >
          {isQueued ? QUEUE_TEXTS.queue : children}
        </Button>
        {state === 'email_not_verified' && <VerifyEmailHint />}
        <LineNote line={line} className="text-center mt-2" />
      </div>
    </>
  );
}
