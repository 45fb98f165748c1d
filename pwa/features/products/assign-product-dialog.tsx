import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CircleOff } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { FormActions } from '#pwa/components/form-actions.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { ResultPicture, SilhouetteBox } from '#pwa/components/result-picture.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { useSettled } from '#pwa/device/use-settled.ts';
import { nb } from '#pwa/format.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import type { Product } from '#shared/contract/products.ts';
import { ARTICLE_MAX_LENGTH, articleKey } from '#shared/rules/articles.ts';
import { type Assignment, useAssignProduct } from './product-changes.ts';
import { productsQuery } from './product-queries.ts';

/** Suggestions are asked for when nothing was typed for this long. */
const TYPING_PAUSE_MS = 250;
const SUGGESTIONS_MAX = 6;

export interface AssignProductDialogProps {
  photoIds?: readonly string[];
  /** Ids of images and videos as the gallery has them. */
  itemIds?: readonly string[];
  /** What stands in the field at first: the article that they have, or a guess. */
  article?: string;
  /** Whether any of them has a product that can be taken away. */
  canTakeAway: boolean;
  onClose: () => void;
  /** The product that they have now; null for none. */
  onAssigned?: (product: ProductMark | null) => void;
}

/**
 * Gives photos and results an article: a typed one, or one of the account's products, whose press is enough. «Без
 * товара» takes it from them. Rendered only while it is open.
 */
export function AssignProductDialog({
  photoIds = [],
  itemIds = [],
  article: known = '',
  canTakeAway,
  onClose,
  onAssigned,
}: AssignProductDialogProps) {
  const formId = useId();
  const isOnline = useOnline();
  const [text, setText] = useState(known);
  const [isTried, setIsTried] = useState(false);
  const assignment = useAssignProduct((product) => {
    toast({ title: nb(product ? `Артикул ${product.article} сохранён` : 'Теперь без товара'), tone: 'success' });
    onAssigned?.(product);
    onClose();
  });
  const article = text.trim();
  const assign = (chosen: Assignment['article']) => assignment.mutate({ article: chosen, photoIds, itemIds });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (article !== '') assign(article);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!assignment.isPending}
      size="sm"
      title="Артикул"
      description={describeChosen(photoIds.length, itemIds.length)}
      footer={
        <FormActions formId={formId} isPending={assignment.isPending} pendingText="Сохраняем…" onCancel={onClose}>
          Сохранить
        </FormActions>
      }
    >
      <form id={formId} className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        <Field
          label="Артикул"
          value={text}
          maxLength={ARTICLE_MAX_LENGTH}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          error={isTried && article === '' ? 'Введите артикул' : undefined}
          hint={nb('Если такого товара ещё нет, он появится в разделе «Товары».')}
        />
        {assignment.error && (
          <Notice tone="danger" title={describeError(assignment.error, 'Не удалось сохранить артикул')}>
            {nb('Попробуйте ещё раз.')}
          </Notice>
        )}
        <Suggestions
          article={article === known ? '' : article}
          isLocked={assignment.isPending || !isOnline}
          onChoose={(product) => assign(product.article)}
        />
        {canTakeAway && (
          <Button
            variant="quiet"
            size="sm"
            className="justify-self-start -ml-3"
            icon={<CircleOff className="ic ic-s" />}
            disabled={assignment.isPending || !isOnline}
            onClick={() => assign(null)}
          >
            Без товара
          </Button>
        )}
      </form>
    </Dialog>
  );
}

/** «Фото: 2, результаты: 3». Null for a single one, which stands before the person's eyes. */
function describeChosen(photos: number, results: number): string | null {
  if (photos + results < 2) return null;
  const parts = [photos > 0 && `фото: ${photos}`, results > 0 && `результаты: ${results}`].filter(Boolean).join(', ');
  return nb(parts.charAt(0).toUpperCase() + parts.slice(1));
}

interface SuggestionsProps {
  /** What is typed so far; '' suggests the newest products. */
  article: string;
  isLocked: boolean;
  onChoose: (product: Product) => void;
}

/** Products of the account whose article or name has what is typed, the exact one first. */
function Suggestions({ article, isLocked, onChoose }: SuggestionsProps) {
  const search = useSettled(article, TYPING_PAUSE_MS);
  const found = useInfiniteQuery({ ...productsQuery(search), placeholderData: keepPreviousData });
  if (found.isPending) return <Skeleton className="h-28" />;
  const isSame = ({ article: other }: Product) => articleKey(other) === articleKey(search);
  const products = [...(found.data?.pages[0]?.products ?? [])]
    .sort((a, b) => Number(isSame(b)) - Number(isSame(a)))
    .slice(0, SUGGESTIONS_MAX);
  if (products.length === 0) return null;
  return (
    <div>
      <h3 className="text-sm font-semibold">{search === '' ? 'Последние товары' : 'Похожие товары'}</h3>
      <ul className="mt-1">
        {products.map((product) => (
          <li key={product.id}>
            <button
              type="button"
              className="flex items-center gap-3 w-full min-h-14 -mx-2 px-2 rounded-control text-left hover:bg-sunken disabled:opacity-45"
              disabled={isLocked}
              onClick={() => onChoose(product)}
            >
              <span className="pic w-9 shrink-0">
                {product.coverUrl ? <ResultPicture url={product.coverUrl} alt="" isLazy /> : <SilhouetteBox />}
              </span>
              <span className="min-w-0">
                <span className="block font-medium [overflow-wrap:anywhere]">{product.article}</span>
                {product.name && <span className="block text-sm text-muted truncate">{product.name}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
