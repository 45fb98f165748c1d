import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { useChangeBatch } from '#pwa/features/batches/batch-queries.ts';
import { nb } from '#pwa/format.ts';
import type { Batch } from '#shared/contract/batches.ts';
import { useSetText } from './describe-set.ts';
import { SetDialog } from './set-dialog.tsx';

/** The settings of all rows that have none of their own. */
export function BatchSetPanel({ batch }: { batch: Batch }) {
  const describeSet = useSetText();
  const [isOpen, setIsOpen] = useState(false);
  const change = useChangeBatch(batch.id);
  const { counts } = batch;
  const hasBegun = counts.done + counts.failed + counts.running + counts.stopped > 0;
  return (
    <section className="panel p-4 grid gap-2" aria-labelledby="batch-set">
      <div className="flex items-center justify-between gap-3">
        <h2 id="batch-set" className="sec">
          Настройки для всех
        </h2>
        <Button
          variant="second"
          size="sm"
          disabledReason={counts.waiting > 0 ? 'Пока ждут, не меняются' : null}
          onClick={() => setIsOpen(true)}
        >
          Изменить
        </Button>
      </div>
      <p className="text-sm">{nb(describeSet(batch.set))}</p>
      {batch.set.kind === 'try_on' &&
        (batch.personPhoto ? (
          <div className="pic w-16">
            <ResultPicture url={batch.personPhoto.thumbnailUrl} alt="Фото человека" />
          </div>
        ) : (
          <p className="text-sm text-warning">{nb('Для примерки выберите фото человека.')}</p>
        ))}
      {isOpen && (
        <SetDialog
          title="Настройки для всех"
          set={batch.set}
          personPhoto={batch.personPhoto}
          canChangeTool={!hasBegun}
          isPending={change.isPending}
          error={change.error}
          onClose={() => setIsOpen(false)}
          onSave={(set, personPhotoId) =>
            change.mutate(
              { set, ...(personPhotoId === undefined ? {} : { personPhotoId }) },
              { onSuccess: () => setIsOpen(false) },
            )
          }
        />
      )}
    </section>
  );
}
