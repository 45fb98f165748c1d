import { type FormEvent, useId, useState } from 'react';
import { describeError, isRefusedFor } from '#pwa/client/api-error.ts';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { FormActions } from '#pwa/components/form-actions.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/format.ts';
import type { Product } from '#shared/contract/products.ts';
import { ARTICLE_MAX_LENGTH, PRODUCT_NAME_MAX_LENGTH } from '#shared/rules/articles.ts';
import { useSaveProduct } from './product-changes.ts';

export interface ProductDialogProps {
  /** Null for a new one. */
  product: Product | null;
  onClose: () => void;
  onSaved: (product: Product) => void;
}

/** The article and the name of a new product or of a known one. Rendered only while it is open. */
export function ProductDialog({ product, onClose, onSaved }: ProductDialogProps) {
  const formId = useId();
  const [article, setArticle] = useState(product?.article ?? '');
  const [name, setName] = useState(product?.name ?? '');
  const [isTried, setIsTried] = useState(false);
  const saving = useSaveProduct(product?.id ?? null, (saved) => {
    onClose();
    onSaved(saved);
  });
  const isTaken = isRefusedFor(saving.error, 'article_taken');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (article.trim() !== '') saving.mutate({ article: article.trim(), name: name.trim() || null });
  };
  const articleError = () => {
    if (isTried && article.trim() === '') return 'Введите артикул';
    return isTaken && saving.variables?.article === article.trim() ? describeError(saving.error, '') : undefined;
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!saving.isPending}
      size="sm"
      title={product ? 'Изменить товар' : 'Новый товар'}
      footer={
        <FormActions formId={formId} isPending={saving.isPending} pendingText="Сохраняем…" onCancel={onClose}>
          {product ? 'Сохранить' : 'Создать'}
        </FormActions>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <Field
          label="Артикул"
          value={article}
          maxLength={ARTICLE_MAX_LENGTH}
          autoComplete="off"
          onChange={(event) => setArticle(event.target.value)}
          error={articleError()}
          hint={product ? nb('Названия результатов этого товара изменятся вслед за артикулом.') : undefined}
        />
        <Field
          label="Название (необязательно)"
          value={name}
          maxLength={PRODUCT_NAME_MAX_LENGTH}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        {saving.error && !isTaken && (
          <Notice tone="danger" title={describeError(saving.error, 'Не удалось сохранить товар')}>
            {nb('Попробуйте ещё раз.')}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
