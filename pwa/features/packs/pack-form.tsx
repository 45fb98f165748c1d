import { type FormEvent, useRef, useState } from 'react';
import { describeError, isRefusedFor } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { useOnline } from '#pwa/device/use-online.ts';
import { NameTemplateField } from '#pwa/features/renaming/name-template-field.tsx';
import { nb } from '#pwa/format.ts';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#shared/rules/marketplaces.ts';
import { PACK_TEMPLATE_MAX_LENGTH } from '#shared/rules/packs.ts';
import { PackPreviews } from './pack-previews.tsx';
import { describeCollisions } from './pack-texts.ts';
import type { PackForm as Form } from './use-pack-form.ts';

export interface PackFormProps {
  id: string;
  form: Form;
  /** Why the order before was refused. */
  refusal: Error | null;
  onReview: (() => void) | undefined;
  onSubmit: () => void;
}

/** Marketplaces, names and what would become of them. */
export function PackForm({ id, form, refusal, onReview, onSubmit }: PackFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isTried, setIsTried] = useState(false);
  const isOnline = useOnline();
  const { draft, collisions } = form;
  const isNameless = draft.template.trim() === '';
  const isCollision = isRefusedFor(refusal, 'pack_names_collide');
  const error =
    (isTried && isNameless && 'Введите шаблон названий') ||
    describeCollisions(collisions) ||
    (isCollision && !form.isUpToDate && describeError(refusal, '')) ||
    undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (isNameless || collisions.length > 0) field.current?.focus();
    else onSubmit();
  };
  return (
    <form id={id} className="grid grid-cols-1 gap-5" onSubmit={submit} noValidate>
      <fieldset>
        <legend className="text-sm font-semibold">Маркетплейсы</legend>
        <div className="flex flex-wrap gap-x-6">
          {MARKETPLACES.map((marketplace) => (
            <Checkbox
              key={marketplace}
              checked={draft.marketplaces.includes(marketplace)}
              onChange={(event) => form.setChosen(marketplace, event.target.checked)}
            >
              {MARKETPLACE_NAMES[marketplace]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <NameTemplateField
        ref={field}
        value={draft.template}
        maxLength={PACK_TEMPLATE_MAX_LENGTH}
        error={error}
        hint={nb('{№} — номер файла у артикула, главное фото первое')}
        onChange={form.setTemplate}
      />
      {!isOnline && (
        <Notice tone="warning" title="Нет сети">
          {nb('Выбор и шаблон сохранены. Соберите пакеты, когда связь вернётся.')}
        </Notice>
      )}
      {refusal && !isCollision && (
        <Notice tone="danger" title="Пакеты не собраны">
          {nb(describeError(refusal, 'Попробуйте ещё раз'))}
        </Notice>
      )}
      <Outlook form={form} onReview={onReview} />
    </form>
  );
}

/** What the packs would hold, or why nobody knows. */
function Outlook({ form, onReview }: Pick<PackFormProps, 'form' | 'onReview'>) {
  const { preview, previews } = form;
  const isOnline = useOnline();
  if (form.isEmpty) {
    return (
      <Notice
        tone="info"
        title="В пакет нечего положить"
        action={
          onReview && (
            <Button variant="second" size="sm" onClick={onReview}>
              Открыть просмотр
            </Button>
          )
        }
      >
        {nb(onReview ? 'Отметьте в просмотре, что берёте.' : 'Здесь пока нет результатов.')}
      </Notice>
    );
  }
  if (preview.isError && isOnline) {
    return (
      <RetryNotice
        tone="warning"
        title="Не удалось показать, что получится"
        isRetrying={preview.isFetching}
        onRetry={() => void preview.refetch()}
      >
        {nb(describeError(preview.error, 'Попробуйте ещё раз'))}
      </RetryNotice>
    );
  }
  if (previews.length > 0) return <PackPreviews previews={previews} isOld={!form.isUpToDate} />;
  return preview.isFetching && <Skeleton className="h-32" />;
}
