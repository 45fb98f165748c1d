import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { AssignProductDialog } from '#pwa/features/products/assign-product-dialog.tsx';
import { useAssignProduct } from '#pwa/features/products/product-changes.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { photoQuery } from './kept-photos-query.ts';

const LINK = 'link text-sm min-h-11 disabled:text-subtle disabled:no-underline disabled:cursor-not-allowed';

/**
 * Takes over the product that the photo has by now: it may have been moved since it was chosen, and its product may have
 * been renamed or deleted.
 */
function useCurrentProduct({ photo, onChange }: PhotoArticleProps, isOnline: boolean): void {
  const { data } = useQuery({ ...photoQuery(photo.id), enabled: isOnline });
  const takeOver = useEffectEvent(({ product, guessedArticle }: UploadedPhoto) => {
    const isKnown = product?.id === photo.product?.id && product?.article === photo.product?.article;
    if (!isKnown) onChange({ ...photo, product, guessedArticle });
  });
  useEffect(() => {
    if (data) takeOver(data);
  }, [data]);
}

export interface PhotoArticleProps {
  photo: UploadedPhoto;
  /** Gets the photo with its new product, or without one. */
  onChange: (photo: UploadedPhoto) => void;
}

/**
 * The article of a photo: «Артикул ART-123», or the guess of it with «Верно». Nothing has to be pressed, because a
 * start accepts the guess.
 */
export function PhotoArticle({ photo, onChange }: PhotoArticleProps) {
  const { guessedArticle, product } = photo;
  const isOnline = useOnline();
  useCurrentProduct({ photo, onChange }, isOnline);
  const [isAsked, setIsAsked] = useState(false);
  const take = (assigned: ProductMark | null) => onChange({ ...photo, product: assigned, guessedArticle: null });
  const agreement = useRef<HTMLButtonElement>(null);
  const change = useRef<HTMLButtonElement>(null);
  const acceptance = useAssignProduct((assigned) => {
    // The pressed button goes away.
    if (document.activeElement === agreement.current) change.current?.focus({ preventScroll: true });
    take(assigned);
  });
  const accept = () =>
    acceptance.mutate(
      { article: guessedArticle, photoIds: [photo.id], itemIds: [] },
      { onError: (error) => toastFailure('Не удалось сохранить артикул', error, 'Попробуйте ещё раз') },
    );
  const article = product?.article ?? guessedArticle;
  const isGuess = product === null && article !== null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 -my-1">
      {article !== null && (
        // The two answers to a guess stand together.
        <span className={`text-sm [overflow-wrap:anywhere] ${isGuess ? 'basis-full mt-2 -mb-2' : ''}`}>
          {`Артикул ${article}${isGuess ? '?' : ''}`}
        </span>
      )}
      {isGuess && (
        <button
          ref={agreement}
          type="button"
          className={LINK}
          disabled={!isOnline}
          aria-label={acceptance.isPending ? undefined : `Верно, артикул ${article}`}
          aria-busy={acceptance.isPending || undefined}
          onClick={accept}
        >
          {acceptance.isPending ? 'Сохраняем…' : 'Верно'}
        </button>
      )}
      <button
        ref={change}
        type="button"
        className={LINK}
        disabled={!isOnline}
        aria-label={article === null ? undefined : 'Изменить артикул'}
        onClick={() => setIsAsked(true)}
      >
        {article === null ? 'Указать артикул' : 'Изменить'}
      </button>
      {isAsked && (
        <AssignProductDialog
          photoIds={[photo.id]}
          article={article ?? ''}
          canTakeAway={article !== null}
          onClose={() => setIsAsked(false)}
          onAssigned={take}
        />
      )}
    </div>
  );
}
