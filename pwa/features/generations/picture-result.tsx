import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { BeforeAfter, type BeforeAfterPicture } from '#pwa/components/before-after.tsx';
import { CropFrame } from '#pwa/components/crop-frame.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { RenameButton } from '#pwa/features/renaming/rename-button.tsx';
import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { GarmentNotice } from './garment-notice.tsx';
import { LossNotice, LostPicture } from './loss-notice.tsx';
import { NextPhotoActions } from './next-photo-actions.tsx';
import { ReportButton } from './report-button.tsx';

export interface PictureResultProps {
  /** Null while only the answer to the start is known. */
  generation: GenerationView | null;
  /** The source photo; null when nobody knows it. */
  before: BeforeAfterPicture | null;
  after: BeforeAfterPicture;
  /** «Готово»; null while the time that it took is not known. */
  done: string | null;
  title: string;
  /** How to look at the picture; not said of a lost one. */
  hint: ReactNode;
  /** What it was made from. */
  details: ReactNode;
  /** Not offered for a lost picture. */
  download: ReactNode;
  /** Keeps the settings and takes the photo away. */
  onNextPhoto: () => void;
  /** Keeps the photo and leads back to the settings. Null where the photo is gone. */
  onOtherSettings: (() => void) | null;
  /** Further buttons. */
  actions?: ReactNode;
  /** What can be made of the picture; not offered for a lost one. */
  children?: ReactNode;
}

/** A finished picture compared with its source photo, and what can be done with it. Focuses its heading. */
export function PictureResult(props: PictureResultProps) {
  const { generation, done, title, hint, details, download, onNextPhoto, onOtherSettings, actions, children } = props;
  const picture = generation?.results[0];
  const loss = picture?.loss ?? null;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="lg:grid grid-cols-[minmax(0,430px)_1fr] gap-14 items-start">
      <div className={loss ? 'max-lg:hidden' : 'max-lg:mx-2'}>
        <Comparison {...props} isLost={loss !== null} />
      </div>
      <div className="max-lg:mt-7">
        {done !== null && (
          <span className="tag ok num">
            <Check className="ic ic-s" />
            {done}
          </span>
        )}
        <h2 ref={heading} tabIndex={-1} className="display text-d3 mt-3">
          {title}
        </h2>
        {picture && (
          <p className="text-sm font-medium mt-1">
            <ResultTitle title={picture.title} />
          </p>
        )}
        {!loss && hint}
        {generation && loss && <LossNotice generationId={generation.id} loss={loss} className="mt-4 max-w-[420px]" />}
        {generation && <GarmentNotice generationId={generation.id} known={generation} className="mt-4 max-w-[420px]" />}
        {details}
        <div className="grid sm:flex flex-wrap gap-2 mt-6">
          <NextPhotoActions onNextPhoto={onNextPhoto} onOtherSettings={onOtherSettings} />
          {!loss && download}
          {actions}
        </div>
        {picture && !loss && (
          <p className="text-sm text-muted mt-3">
            {picture.isWatermarked ? nb('Для ознакомления: с водяным знаком') : 'Коммерческое использование разрешено'}
          </p>
        )}
        {generation && picture && (
          <div className="flex flex-wrap mt-2 -ml-3">
            <RenameButton item={{ ...picture, made: generation.made }} />
            <ReportButton itemId={picture.id} known={picture.report} />
          </div>
        )}
        {!loss && children}
      </div>
    </div>
  );
}

function Comparison({ before, after, isLost }: Pick<PictureResultProps, 'before' | 'after'> & { isLost: boolean }) {
  if (isLost) {
    return (
      <CropFrame>
        <div className="pic">
          <LostPicture />
        </div>
      </CropFrame>
    );
  }
  if (before) return <BeforeAfter before={before} after={after} />;
  return (
    <CropFrame>
      <img className="ph" src={after.url} alt={after.alt} />
    </CropFrame>
  );
}
