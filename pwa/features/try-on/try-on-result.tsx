import { Images } from 'lucide-react';
import { ButtonLink } from '#pwa/components/button.tsx';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton, type ShareTarget } from '#pwa/features/downloads/share-button.tsx';
import { PictureResult } from '#pwa/features/generations/picture-result.tsx';
import { nb } from '#pwa/format.ts';
import type { GenerationResult } from '#shared/contract/generations.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { GARMENT_CATEGORY_NAMES } from '#shared/rules/garments.ts';
import type { TryOnDraft, TryOnView } from './try-on-tool.ts';

export interface TryOnResultProps {
  subject: TryOnDraft;
  view: TryOnView;
  picture: GenerationResult;
  onNextPhoto: () => void;
  onOtherSettings: (() => void) | null;
}

/** The finished picture compared with the photo of the person. */
export function TryOnResult({ subject, view, picture, onNextPhoto, onOtherSettings }: TryOnResultProps) {
  const { garment, person, category } = subject;
  const target: ShareTarget = { kind: 'image', imageId: picture.id, pictureUrl: picture.previewUrl };
  return (
    <PictureResult
      generation={view}
      before={person && { url: person.previewUrl, alt: 'Было: фото человека' }}
      after={{ url: picture.url, alt: 'Стало: вещь на человеке' }}
      done="Готово"
      title="Вещь примерена"
      hint={
        <p className="text-muted mt-2 max-w-[46ch]">
          {nb(
            'Сдвиньте границу, чтобы сравнить с фото. Проверьте принт, цвет и детали вещи: картинку рисует нейросеть.',
          )}
        </p>
      }
      details={
        garment && (
          <figure className="flex gap-4 items-center mt-6">
            <img className="pic w-[78px] aspect-[3/4] object-cover" src={garment.thumbnailUrl} alt="Вещь" />
            <figcaption className="text-sm">
              <span className="block text-muted">Вещь</span>
              {category !== 'auto' && <span className="block font-medium">{nb(GARMENT_CATEGORY_NAMES[category])}</span>}
            </figcaption>
          </figure>
        )
      }
      download={
        <>
          <DownloadButton variant="second" target={target} generationId={view.id} hasMenu />
          <ShareButton targets={[target]} generationId={view.id} />
        </>
      }
      onNextPhoto={onNextPhoto}
      onOtherSettings={onOtherSettings}
      actions={
        <ButtonLink variant="second" icon={<Images className="ic" />} to={PATHS.gallery}>
          Открыть галерею
        </ButtonLink>
      }
    />
  );
}
