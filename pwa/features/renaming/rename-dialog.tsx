import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { CHANGED_BY } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { FormActions } from '#pwa/components/form-actions.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { toast } from '#pwa/components/toast.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { countResults, nb } from '#pwa/format.ts';
import { renameResults } from '#shared/contract/gallery.ts';
import { TITLE_MAX_LENGTH } from '#shared/rules/result-names.ts';
import { type NamedItem, nameUsually, previewName } from './name-preview.ts';
import { NameTemplateField } from './name-template-field.tsx';

const USUAL_TEMPLATE = '{артикул} {инструмент} {№}';
/** Frames of one photo session differ in nothing else. */
const FRAMES_TEMPLATE = `${USUAL_TEMPLATE}-{кадр}`;
const PREVIEWED_MAX = 3;

export interface RenameDialogProps {
  /** At least one. Several are named by a template. */
  items: readonly NamedItem[];
  onClose: () => void;
  onRenamed?: () => void;
}

/** Names one result, or several by a template, or gives them their usual names back. Rendered only while it is open. */
export function RenameDialog({ items, onClose, onRenamed }: RenameDialogProps) {
  const formId = useId();
  const isOnline = useOnline();
  const [only, another] = items;
  const single = only && !another ? only : null;
  const [text, setText] = useState(single ? single.title : chooseTemplate(items));
  const [isTried, setIsTried] = useState(false);
  const renaming = useRename(() => {
    toast({
      title: single ? 'Название изменено' : nb(`Переименовано: ${countResults(items.length)}`),
      tone: 'success',
    });
    onRenamed?.();
    onClose();
  });
  const title = text.trim();
  const rename = (next: string | null) => renaming.mutate({ ids: items.map(({ id }) => id), title: next });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (title !== '') rename(title);
  };
  const error = isTried && title === '' ? 'Введите название' : undefined;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!renaming.isPending}
      size="sm"
      title="Переименовать"
      description={single ? undefined : nb(countResults(items.length))}
      footer={
        <FormActions formId={formId} isPending={renaming.isPending} pendingText="Сохраняем…" onCancel={onClose}>
          Сохранить
        </FormActions>
      }
    >
      <form id={formId} className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        {single ? (
          <Field
            label="Название"
            value={text}
            maxLength={TITLE_MAX_LENGTH}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
            error={error}
          />
        ) : (
          <Template text={text} error={error} items={items} onChange={setText} />
        )}
        {renaming.error && (
          <Notice tone="danger" title={describeError(renaming.error, 'Не удалось переименовать')}>
            {nb('Попробуйте ещё раз.')}
          </Notice>
        )}
        {items.some(({ isRenamed }) => isRenamed) && (
          <Button
            variant="quiet"
            size="sm"
            className="justify-self-start -ml-3 !whitespace-normal text-left"
            icon={<RotateCcw className="ic ic-s" />}
            disabled={renaming.isPending || !isOnline}
            onClick={() => rename(null)}
          >
            {single ? `Вернуть обычное название: ${nameUsually(single)}` : 'Вернуть обычные названия'}
          </Button>
        )}
      </form>
    </Dialog>
  );
}

function chooseTemplate(items: readonly NamedItem[]): string {
  const names = new Set(items.map((item) => previewName(USUAL_TEMPLATE, item)));
  return names.size < items.length ? FRAMES_TEMPLATE : USUAL_TEMPLATE;
}

interface TemplateProps {
  text: string;
  error: string | undefined;
  items: readonly NamedItem[];
  onChange: (text: string) => void;
}

/** A template and the names that it makes. */
function Template({ text, error, items, onChange }: TemplateProps) {
  const rest = items.length - PREVIEWED_MAX;
  return (
    <>
      <NameTemplateField value={text} maxLength={TITLE_MAX_LENGTH} error={error} onChange={onChange} />
      <div>
        <h3 className="text-sm font-semibold">Получится</h3>
        <ul className="text-sm text-muted mt-1" aria-live="polite">
          {items.slice(0, PREVIEWED_MAX).map((item) => (
            <li key={item.id} className="[overflow-wrap:anywhere]">
              {previewName(text, item)}
            </li>
          ))}
          {rest > 0 && <li>{nb(`и ещё ${rest}`)}</li>}
        </ul>
      </div>
    </>
  );
}

interface Renaming {
  ids: readonly string[];
  /** A name, or a template of names. Null gives the usual names back. */
  title: string | null;
}

/** Names results: at most RENAMED_MAX, which a selection holds at most. */
function useRename(onRenamed: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: ({ ids, title }: Renaming) => callApi(renameResults, { body: { ids: [...ids], title } }),
    onSuccess: onRenamed,
    onSettled: () => {
      for (const queryKey of CHANGED_BY.naming) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
