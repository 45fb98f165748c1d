import type { ReactNode } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { useFileDrop, usePastedFile } from '#pwa/features/photos/file-transfer.ts';
import { BATCH_ALL_ROWS_MAX } from '#shared/rules/batches.ts';
import { INTAKE_TEXTS } from './intake-texts.ts';
import { TakeInContext, useTakeIn } from './use-take-in.ts';

export interface IntakeDropZoneProps {
  batchId: string;
  children: ReactNode;
}

/** Files, folders, archives and tables may be dropped or pasted anywhere on what is in it, which shares its intake. */
export function IntakeDropZone({ batchId, children }: IntakeDropZoneProps) {
  const intake = useTakeIn(batchId);
  const handlers = {
    onFiles: (files: readonly File[]) => void intake.takeIn(files),
    onLink: () => void toast({ title: 'Файл не добавлен', description: INTAKE_TEXTS.link, tone: 'danger' }),
  };
  const drop = useFileDrop(handlers, true, BATCH_ALL_ROWS_MAX);
  usePastedFile(handlers, true);
  return (
    <div className="relative" {...drop.handlers}>
      <TakeInContext value={intake}>{children}</TakeInContext>
      {drop.isOver && (
        <div className="drop absolute inset-0 z-10 grid place-items-center bg-thread-soft text-thread font-semibold pointer-events-none">
          Отпустите файлы или папку
        </div>
      )}
    </div>
  );
}
