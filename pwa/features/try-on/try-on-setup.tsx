import '#pwa/features/generations/generations.css';
import { Button } from '#pwa/components/button.tsx';
import { BuyStarsButton } from '#pwa/components/buy-stars-button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { OptionCard, OptionCardGroup } from '#pwa/components/option-card.tsx';
import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { VerifyEmailHint } from '#pwa/features/generations/verify-email-hint.tsx';
import { nb } from '#pwa/lib/format.ts';
import { GARMENT_CATEGORIES, GARMENT_CATEGORY_NAMES, type GarmentCategory } from '#shared/rules/garments.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { TRY_ON_TEXTS } from './try-on-texts.ts';
import type { TryOnDraft } from './try-on-tool.ts';

const CATEGORY_HINTS: Record<GarmentCategory, string> = {
  auto: 'Определим по фото',
  tops: 'Рубашка, свитер, куртка',
  bottoms: 'Брюки, юбка, шорты',
  'one-pieces': 'Вещь целиком',
};

export interface CategoryChoiceProps {
  value: GarmentCategory;
  onChange: (category: GarmentCategory) => void;
}

/** The choice of what the garment is. */
export function CategoryChoice({ value, onChange }: CategoryChoiceProps) {
  return (
    <>
      <h2 className="sec mb-2.5">Что за вещь</h2>
      <OptionCardGroup label="Что за вещь" value={value} onChange={onChange} className="grid grid-cols-2 gap-2">
        {GARMENT_CATEGORIES.map((category) => (
          <OptionCard key={category} value={category} className="p-3 pr-8 text-left">
            <span className="block text-sm font-medium">{nb(GARMENT_CATEGORY_NAMES[category])}</span>
            <span className="block text-xs text-muted mt-0.5">{nb(CATEGORY_HINTS[category])}</span>
          </OptionCard>
        ))}
      </OptionCardGroup>
    </>
  );
}

export interface StartActionProps {
  draft: TryOnDraft;
  readiness: StartReadiness;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isBusy: boolean;
  onStart: () => void;
  onBuyStars: () => void;
}

/** The primary action of the page, or why it is not available. */
export function StartAction({ draft, readiness, balance, isBusy, onStart, onBuyStars }: StartActionProps) {
  const isShort = readiness.state === 'not_enough_stars';
  const isIdle = readiness.state === 'photo_missing';
  return (
    <>
      {isShort && !isBusy && (
        <Notice
          tone="warning"
          className="mt-6"
          title={TRY_ON_TEXTS.notEnoughStars}
          action={
            <BuyStarsButton
              source="try_on"
              missingStars={readiness.price - (balance ?? 0)}
              variant="second"
              size="sm"
              className="max-md:w-full"
            />
          }
        >
          {nb(`Нужна ${countStars(readiness.price)}, на балансе ${balance ?? 0}.`)}
        </Notice>
      )}
      <div className={`start-action mt-6 ${isIdle ? 'is-idle' : ''}`}>
        <Button
          wide
          price={readiness.price}
          loading={isBusy}
          loadingText="Запускаем…"
          disabledReason={
            readiness.state === 'ready' || isShort ? null : isIdle ? nameMissing(draft) : readiness.reason
          }
          onClick={isShort ? onBuyStars : onStart}
        >
          {TRY_ON_TEXTS.start}
        </Button>
        {readiness.state === 'email_not_verified' && <VerifyEmailHint />}
      </div>
    </>
  );
}

function nameMissing({ garment }: TryOnDraft): string {
  return garment ? 'Добавьте фото человека' : 'Добавьте фото вещи';
}
