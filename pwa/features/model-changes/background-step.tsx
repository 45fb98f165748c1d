import { Lock } from 'lucide-react';
import { useState } from 'react';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import type { CatalogueBackground } from '#shared/contract/catalogue.ts';
import { type BackgroundType, filterBackgrounds } from './catalogue.ts';
import { FilterChips } from './filter-chips.tsx';
import { BackgroundPicture } from './selection-panel.tsx';

const TYPES: ReadonlyArray<{ value: BackgroundType | 'all'; label: string }> = [
  { value: 'all', label: 'Все' },
  { value: 'studio', label: 'Студия' },
  { value: 'abstract', label: 'Абстракция' },
  { value: 'themed', label: 'Тематические' },
];

export interface BackgroundStepProps {
  backgrounds: readonly CatalogueBackground[];
  chosenId: string | null;
  onChoose: (backgroundId: string) => void;
  /** Null while unknown; the server decides in the end. */
  isPremium: boolean | null;
  /** A free account has pressed a paid background. */
  onPremiumWanted: () => void;
}

/** The choice of one background of the catalogue, or of the photo's own. */
export function BackgroundStep(props: BackgroundStepProps) {
  const { backgrounds, chosenId, onChoose, isPremium, onPremiumWanted } = props;
  const [type, setType] = useState<BackgroundType | 'all'>('all');
  return (
    <>
      <div className="mb-4">
        <FilterChips label="Вид фона" value={type} onChange={setType} options={TYPES} />
      </div>
      <RadioGroup
        label="Фон"
        value={chosenId}
        onChange={onChoose}
        className="grid grid-cols-2 min-[360px]:grid-cols-3 md:grid-cols-6 lg:grid-cols-4 xl:grid-cols-6 gap-2 md:gap-3"
      >
        {filterBackgrounds(backgrounds, type).map((background) =>
          background.isPremium && isPremium === false ? (
            // A button instead of a radio, so that arrow keys do not open an offer to pay.
            <button
              key={background.id}
              type="button"
              className="opt overflow-hidden p-0.5 !flex flex-col"
              title={background.description}
              aria-haspopup="dialog"
              onClick={onPremiumWanted}
            >
              <CardContent background={background} isClosed />
            </button>
          ) : (
            <OptionCard key={background.id} value={background.id} className="p-0.5 !flex flex-col">
              <CardContent background={background} />
            </OptionCard>
          ),
        )}
      </RadioGroup>
    </>
  );
}

function CardContent({ background, isClosed = false }: { background: CatalogueBackground; isClosed?: boolean }) {
  return (
    <>
      {background.isPremium && (
        <span className="tag ink absolute left-2 top-2 z-[1]">
          {isClosed && <Lock className="ic ic-s !size-3" aria-label="для платных пользователей" />}
          PRO
        </span>
      )}
      <BackgroundPicture background={background} className="block w-full aspect-[4/5] rounded-t-[4px]" />
      <span className="px-1.5 py-2 text-xs font-medium text-left">
        <span className="line-clamp-2 break-words">{background.name}</span>
      </span>
    </>
  );
}
