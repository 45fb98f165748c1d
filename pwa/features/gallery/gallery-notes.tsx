import { Images, LockKeyholeOpen } from 'lucide-react';
import { ButtonLink } from '#pwa/components/button.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { nb } from '#pwa/format.ts';
import { PICTURES_TO_COME } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { GALLERY_TEXTS } from './gallery-texts.ts';

/** For accounts that have never paid. */
export function UnlockBanner() {
  return (
    <section className="panel p-4 md:px-5 flex flex-wrap items-center gap-x-5 gap-y-3 !bg-star-soft">
      <LockKeyholeOpen className="ic text-star" />
      <div className="flex-1 basis-52">
        <div className="font-semibold">{GALLERY_TEXTS.unlock}</div>
        <p className="text-sm text-muted">{nb('Без водяного знака и в полном размере после любой покупки.')}</p>
      </div>
      <BuyStarsButton source="gallery" className="max-md:w-full" />
    </section>
  );
}

export function GallerySkeleton() {
  return (
    <div role="status">
      <p className="text-muted mb-4">{GALLERY_TEXTS.loading}</p>
      <div className="grid grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 gap-x-3 gap-y-6 md:gap-x-4" aria-hidden="true">
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="aspect-[3/4]" />
        ))}
      </div>
    </div>
  );
}

const EMPTY = {
  image: {
    title: GALLERY_TEXTS.empty,
    text: PICTURES_TO_COME,
    action: GALLERY_TEXTS.create,
    to: PATHS.app,
  },
  video: {
    title: 'Видео пока нет',
    text: 'Загрузите фото вещи, выберите движение, и первый показ будет здесь.',
    action: 'Создать видео',
    to: PATHS.createVideo,
  },
  /** No results of the chosen type, though there may be others. */
  filtered: {
    title: 'Ничего не нашлось',
    text: 'Изображений этого типа пока нет.',
    action: GALLERY_TEXTS.create,
    to: PATHS.app,
  },
} as const;

/** An empty gallery: what will be here and how to begin. */
export function EmptyGallery({ kind }: { kind: keyof typeof EMPTY }) {
  const { title, text, action, to } = EMPTY[kind];
  return (
    <div className="grid place-items-center text-center py-10 md:py-14">
      <div className="w-[220px] flex gap-2 items-end" aria-hidden="true">
        <div className="drop flex-1 aspect-[3/4] opacity-60" />
        <div className="drop flex-1 aspect-[3/4] grid place-items-center scale-110">
          <Images className="ic ic-l" />
        </div>
        <div className="drop flex-1 aspect-[3/4] opacity-60" />
      </div>
      <h2 className="display text-d3 mt-8">{title}</h2>
      <p className="text-muted mt-2 max-w-[36ch]">{nb(text)}</p>
      <ButtonLink to={to} className="mt-6">
        {action}
      </ButtonLink>
    </div>
  );
}
