import type { ReactNode } from 'react';
import { formatAgeRange } from './catalogue.ts';
import { CataloguePicture } from './catalogue-picture.tsx';
import type { Selection } from './selection.ts';
import { BackgroundPicture } from './selection-panel.tsx';
import type { WizardStep, WizardWay } from './wizard.ts';

export interface ChoiceReviewProps {
  way: WizardWay;
  selection: Selection;
  onOpen: (step: WizardStep) => void;
}

/** Everything that was chosen, shown before the start. Each part can still be changed. */
export function ChoiceReview({ way, selection: { photo, model, background }, onOpen }: ChoiceReviewProps) {
  return (
    <div className="grid grid-flow-col auto-cols-fr gap-3 md:gap-6 max-w-[720px]">
      <Choice title="Фото" value={photo ? `${photo.width}×${photo.height}` : '—'} onChange={() => onOpen('photo')}>
        {photo && (
          <img
            className="ph"
            src={photo.previewUrl}
            alt="Ваше фото"
            // Without a network only pictures seen before are available: the first step has shown the thumbnail.
            onError={({ currentTarget }) => {
              if (!currentTarget.src.endsWith(photo.thumbnailUrl)) currentTarget.src = photo.thumbnailUrl;
            }}
          />
        )}
      </Choice>
      {way.includes('model') && (
        <Choice
          title="Модель"
          value={model ? `${model.name}, ${formatAgeRange(model.ageRange)}` : '—'}
          onChange={() => onOpen('model')}
        >
          {model && <CataloguePicture key={model.id} item={model} className="ph" />}
        </Choice>
      )}
      <Choice title="Фон" value={background?.name ?? '—'} onChange={() => onOpen('background')}>
        {background && <BackgroundPicture background={background} className="ph" />}
      </Choice>
    </div>
  );
}

interface ChoiceProps {
  title: string;
  value: string;
  onChange: () => void;
  children: ReactNode;
}

function Choice({ title, value, onChange, children }: ChoiceProps) {
  return (
    <div className="min-w-0">
      {children || <div className="drop aspect-[3/4]" />}
      <h2 className="text-xs text-muted mt-2">{title}</h2>
      <p className="num text-sm font-medium">{value}</p>
      <button
        type="button"
        className="link text-sm min-h-11"
        aria-label={`Изменить: ${title.toLowerCase()}`}
        onClick={onChange}
      >
        Изменить
      </button>
    </div>
  );
}
