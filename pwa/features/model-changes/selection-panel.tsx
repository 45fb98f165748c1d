import { Image } from 'lucide-react';
import type { ReactNode } from 'react';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import type { CatalogueBackground } from '#shared/contract/catalogue.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { CataloguePicture } from './catalogue-picture.tsx';
import type { Selection } from './selection.ts';
import type { WizardWay } from './wizard.ts';

export interface SelectionPanelProps {
  way: WizardWay;
  /** Null when the step itself shows it. */
  selection: Selection | null;
  children: ReactNode;
}

/** The panel beside the wizard: the choices, the price and the buttons. */
export function SelectionPanel({ way, selection, children }: SelectionPanelProps) {
  return (
    <div className="sticky top-[88px] panel p-4">
      {selection && (
        <div className="pb-4 mb-4 border-b border-line">
          <SelectionPictures selection={selection} hasModel={way.includes('model')} />
        </div>
      )}
      <div className="flex justify-between text-sm">
        <span className="text-muted">Стоимость</span>
        <StarCount count={MODEL_CHANGE_PRICE} withWord className="font-semibold" />
      </div>
      {children}
    </div>
  );
}

const PICTURE = 'ph';

export interface SelectionPicturesProps {
  selection: Selection;
  hasModel: boolean;
}

/** Photo, model and background side by side, with a stitched frame for each missing choice. */
export function SelectionPictures({ selection: { photo, model, background }, hasModel }: SelectionPicturesProps) {
  return (
    <div className="grid grid-cols-3 gap-2">
      <Slot caption="Фото">{photo && <ResultPicture className={PICTURE} url={photo.thumbnailUrl} alt="" />}</Slot>
      {hasModel && (
        <Slot caption={model?.name ?? 'Модель'}>
          {model && <CataloguePicture key={model.id} item={model} className={PICTURE} isDecorative />}
        </Slot>
      )}
      <Slot caption={background?.name ?? 'Фон'}>
        {background && <BackgroundPicture background={background} className={PICTURE} />}
      </Slot>
    </div>
  );
}

/** The picture of a background; an icon when the photo keeps its own. */
export function BackgroundPicture({ background, className }: { background: CatalogueBackground; className: string }) {
  if (background.type !== 'keep_original') {
    return <CataloguePicture key={background.id} item={background} className={className} isDecorative />;
  }
  return (
    <span className={`!grid place-items-center bg-surface ${className}`}>
      <Image className="ic ic-l" />
    </span>
  );
}

function Slot({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      {children || <div className="drop aspect-[3/4]" />}
      <div className="text-xs text-muted mt-1.5 truncate">{caption}</div>
    </div>
  );
}
