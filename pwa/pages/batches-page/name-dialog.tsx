import { type FormEvent, useId, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Field } from '#pwa/components/field.tsx';
import { FormActions } from '#pwa/components/form-actions.tsx';
import { useChangeBatch } from '#pwa/features/batches/batch-queries.ts';
import type { Batch } from '#shared/contract/batches.ts';
import { BATCH_NAME_MAX_LENGTH } from '#shared/rules/batches.ts';

/** Asks for the name of a batch. Rendered only while it is open. */
export function NameDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const formId = useId();
  const [name, setName] = useState(batch.name);
  const change = useChangeBatch(batch.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ name }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!change.isPending}
      size="sm"
      title="Переименовать партию"
      footer={
        <FormActions formId={formId} isPending={change.isPending} pendingText="Сохраняем…" onCancel={onClose}>
          Сохранить
        </FormActions>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Field
          label="Название"
          value={name}
          maxLength={BATCH_NAME_MAX_LENGTH}
          autoComplete="off"
          error={change.error ? describeError(change.error, 'Попробуйте ещё раз') : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
