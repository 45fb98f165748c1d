import { Check, Download, Images, Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { ComparedPicture } from '#pwa/features/generations/compared-picture.tsx';
import { GarmentNotice } from '#pwa/features/generations/garment-notice.tsx';
import { LossNotice } from '#pwa/features/generations/loss-notice.tsx';
import { ReportButton } from '#pwa/features/generations/report-button.tsx';
import { nb } from '#pwa/format.ts';
import type { GenerationResult } from '#shared/contract/generations.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { GARMENT_CATEGORY_NAMES } from '#shared/rules/garments.ts';
import type { TryOnDraft, TryOnView } from './try-on-tool.ts';

export interface TryOnResultProps {
  subject: TryOnDraft;
  view: TryOnView;
  picture: GenerationResult;
  onDownload: () => void;
  onTryMore: () => void;
}

/** The finished picture compared with the photo of the person, and what can be done with it. */
export function TryOnResult({ subject, view, picture, onDownload, onTryMore }: TryOnResultProps) {
  const { garment, person, category } = subject;
  const loss = picture.loss ?? null;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="lg:grid grid-cols-[minmax(0,430px)_1fr] gap-14 items-start">
      <ComparedPicture
        isLost={loss !== null}
        before={person && { url: person.previewUrl, alt: 'Было: фото человека' }}
        after={{ url: picture.url, alt: 'Стало: вещь на человеке' }}
      />
      <div className="max-lg:mt-7">
        <span className="tag ok">
          <Check className="ic ic-s" />
          Готово
        </span>
        <h2 ref={heading} tabIndex={-1} className="display text-d3 mt-3">
          Вещь примерена
        </h2>
        {loss ? (
          <LossNotice generationId={view.id} loss={loss} className="mt-4 max-w-[420px]" />
        ) : (
          <p className="text-muted mt-2 max-w-[46ch]">
            {nb(
              'Сдвиньте границу, чтобы сравнить с фото. Проверьте принт, цвет и детали вещи: картинку рисует нейросеть.',
            )}
          </p>
        )}
        <GarmentNotice generationId={view.id} known={view} className="mt-4 max-w-[420px]" />
        {garment && (
          <figure className="flex gap-4 items-center mt-6">
            <img className="pic w-[78px] aspect-[3/4] object-cover" src={garment.thumbnailUrl} alt="Вещь" />
            <figcaption className="text-sm">
              <span className="block text-muted">Вещь</span>
              {category !== 'auto' && <span className="block font-medium">{nb(GARMENT_CATEGORY_NAMES[category])}</span>}
            </figcaption>
          </figure>
        )}
        <div className="grid sm:flex flex-wrap gap-2 mt-6">
          {!loss && (
            <Button icon={<Download className="ic" />} onClick={onDownload}>
              Скачать
            </Button>
          )}
          <Button variant="second" icon={<Plus className="ic" />} onClick={onTryMore}>
            Примерить ещё
          </Button>
          <ButtonLink variant="second" icon={<Images className="ic" />} to={PATHS.gallery}>
            Открыть галерею
          </ButtonLink>
        </div>
        {!loss && (
          <p className="text-sm text-muted mt-3">
            {picture.isWatermarked ? nb('Для ознакомления: с водяным знаком') : 'Коммерческое использование разрешено'}
          </p>
        )}
        <ReportButton itemId={picture.id} known={picture.report} className="mt-2 -ml-3" />
      </div>
    </div>
  );
}
