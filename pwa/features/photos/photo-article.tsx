import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isRefusedFor } from '#pwa/client/api-error.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { AssignProductDialog } from '#pwa/features/products/assign-product-dialog.tsx';
import { useAssignProduct } from '#pwa/features/products/product-changes.ts';
import { productQuery } from '#pwa/features/products/product-queries.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';

const LINK = 'link text-sm min-h-11 disabled:text-subtle disabled:no-underline disabled:cursor-not-allowed';

/** The product of a photo as the page knows it by now: it may have been renamed or deleted since the photo was chosen. */
function useCurrentProduct({ product }: UploadedPhoto, isOnline: boolean): ProductMark | null {
  const options = productQuery(product?.id ?? '');
  const { data, error } = useQuery({ ...options, enabled: product !== null && isOnline });
  return isRefusedFor(error, 'product_not_found') ? null : (data ?? product);
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
  const { guessedArticle } = photo;
  const isOnline = useOnline();
  const product = useCurrentProduct(photo, isOnline);
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
