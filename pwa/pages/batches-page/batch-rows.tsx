import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, RotateCcw, Settings2, Tag, Trash2, Undo2, X } from 'lucide-react';
import { memo, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { Menu, MenuItem } from '#pwa/components/menu.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { ResultPicture, SilhouetteBox } from '#pwa/components/result-picture.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import {
  refetchBatch,
  useChangeRow,
  useKeepDuplicates,
  useRemoveRows,
  useRepeatRows,
} from '#pwa/features/batches/batch-queries.ts';
import type { RowProgress } from '#pwa/features/batches/intake/use-batch-intake.ts';
import { useTakeInOfPage } from '#pwa/features/batches/intake/use-take-in.ts';
import { AssignProductDialog } from '#pwa/features/products/assign-product-dialog.tsx';
import { nb } from '#pwa/format.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { cancelGeneration } from '#shared/contract/generations.ts';
import { ROW_STATE_TEXTS } from '#shared/rules/batches.ts';
import { countPhotos, groupReasons } from './batch-texts.ts';
import { useSetText } from './describe-set.ts';
import { SetDialog } from './set-dialog.tsx';

const TRY_AGAIN = 'Проверьте интернет и попробуйте ещё раз';

/** Rows that neither wait nor run, so that they can be changed and removed. */
const IS_FREE: ReadonlySet<BatchRow['state']> = new Set([
  'uploading',
  'duplicate',
  'refused',
  'ready',
  'done',
  'failed',
  'stopped',
]);

/** All rows of a batch, with what is to be decided about many of them above. */
export function BatchRows({ batch, rows }: { batch: Batch; rows: readonly BatchRow[] }) {
  const { intake } = useTakeInOfPage();
  const [changed, setChanged] = useState<BatchRow | null>(null);
  const [named, setNamed] = useState<BatchRow | null>(null);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="batch-rows" className="grid grid-cols-1 gap-3">
      <h2 id="batch-rows" className="sec">
        Строки
      </h2>
      <Duplicates batch={batch} rows={rows} />
      {groupReasons(rows).map(({ code, message, rows: group }) => (
        <Notice
          key={code}
          tone="warning"
          title={nb(`${countPhotos(group.length)}: ${message}`)}
          action={
            <RemoveRefused
              batchId={batch.id}
              rowIds={group.filter(({ state }) => state === 'refused').map(({ id }) => id)}
              onRemoved={intake.remove}
            />
          }
        />
      ))}
      <ul className="grid grid-cols-1 gap-2">
        {rows.map((row) => (
          <Row
            key={row.id}
            batchId={batch.id}
            row={row}
            progress={intake.progress.get(row.id) ?? null}
            onSettings={setChanged}
            onArticle={setNamed}
            onRemoved={intake.remove}
          />
        ))}
      </ul>
      {changed && <RowSetDialog batch={batch} row={changed} onClose={() => setChanged(null)} />}
      {named?.photo && <ArticleDialog batchId={batch.id} row={named} onClose={() => setNamed(null)} />}
    </section>
  );
}

/** Photos that are there already: each is taken nevertheless, or removed. */
function Duplicates({ batch, rows }: { batch: Batch; rows: readonly BatchRow[] }) {
  const keep = useKeepDuplicates(batch.id);
  const remove = useRemoveRows(batch.id);
  const ids = rows.filter(({ state }) => state === 'duplicate').map(({ id }) => id);
  if (ids.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={nb(`Такие фото уже есть: ${ids.length}`)}
      action={
        <span className="flex flex-wrap gap-2">
          <Button variant="second" size="sm" loading={keep.isPending} onClick={() => keep.mutate(ids)}>
            Взять все
          </Button>
          <Button variant="quiet" size="sm" loading={remove.isPending} onClick={() => remove.mutate(ids)}>
            Убрать все
          </Button>
        </span>
      }
    >
      {nb('Они есть в этой партии или среди ваших фото. Без решения они не запустятся.')}
    </Notice>
  );
}

interface RemoveRefusedProps {
  batchId: string;
  rowIds: readonly string[];
  onRemoved: (rowIds: readonly string[]) => void;
}

/** Takes rows out of the batch that can never be made, all of one reason together. */
function RemoveRefused({ batchId, rowIds, onRemoved }: RemoveRefusedProps) {
  const remove = useRemoveRows(batchId);
  if (rowIds.length === 0) return null;
  return (
    <Button
      variant="quiet"
      size="sm"
      loading={remove.isPending}
      onClick={() => remove.mutate([...rowIds], { onSuccess: () => onRemoved(rowIds) })}
    >
      Убрать непринятое
    </Button>
  );
}

interface RowProps {
  batchId: string;
  row: BatchRow;
  /** What becomes of its file on this device. */
  progress: RowProgress | null;
  onSettings: (row: BatchRow) => void;
  onArticle: (row: BatchRow) => void;
  onRemoved: (rowIds: readonly string[]) => void;
}

const Row = memo(function Row({ batchId, row, progress, onSettings, onArticle, onRemoved }: RowProps) {
  const describeSet = useSetText();
  const picture = row.results[0]?.thumbnailUrl ?? row.photo?.thumbnailUrl;
  const share =
    progress?.state === 'sending' ? progress.sentShare : row.state === 'running' ? row.progress?.share : null;
  return (
    <li className="panel flex items-start">
      {/* Not around the menu, which would be cut off at the row: what is not in sight paints nothing beyond itself. */}
      <div className="p-3 flex gap-3 items-start flex-1 min-w-0 [content-visibility:auto] [contain-intrinsic-size:auto_88px]">
        <div className="pic w-14 shrink-0">
          {picture ? <ResultPicture url={picture} alt="" isLazy /> : <SilhouetteBox />}
        </div>
        <div className="min-w-0 flex-1">
          <div className="text-sm font-medium truncate">{row.name}</div>
          <Article row={row} onChange={() => onArticle(row)} />
          <div className="text-sm text-muted">{nb(describeRow(row, progress))}</div>
          {row.set && <div className="text-sm">{nb(`Свои настройки: ${describeSet(row.set)}`)}</div>}
          {(row.state === 'running' || progress?.state === 'sending') && (
            <StitchProgress value={share ?? null} className="mt-1.5" />
          )}
          {row.state === 'duplicate' && <DuplicateActions batchId={batchId} rowId={row.id} onRemoved={onRemoved} />}
          {(row.state === 'failed' || row.state === 'stopped') && row.photo && (
            <RepeatRow batchId={batchId} row={row} />
          )}
        </div>
      </div>
      <div className="py-3 pr-3">
        <RowMenu batchId={batchId} row={row} onSettings={onSettings} onRemoved={onRemoved} />
      </div>
    </li>
  );
});

function describeRow({ state, reason, photo, isTaken }: BatchRow, progress: RowProgress | null): string {
  if (reason) return reason.message;
  if (state === 'duplicate' && photo?.product) return `${ROW_STATE_TEXTS.duplicate}: артикул ${photo.product.article}`;
  if (state === 'uploading' && progress?.state === 'paused') return 'Загрузка на паузе';
  if (state === 'done' && isTaken !== null) return isTaken ? 'Взято' : 'Не взято';
  return ROW_STATE_TEXTS[state];
}

/** The article of a row: of its product, guessed from the file's name, or told before there was a photo. */
function Article({ row, onChange }: { row: BatchRow; onChange: () => void }) {
  const { photo, article } = row;
  if (!photo) return article === null ? null : <div className="text-sm num">{article}</div>;
  const known = photo.product?.article ?? null;
  const text = known ?? (photo.guessedArticle ? `${photo.guessedArticle}?` : 'Без артикула');
  return (
    <button
      type="button"
      className="link text-sm num inline-flex items-center gap-1 min-h-8"
      aria-label={
        known
          ? `Артикул ${known}, изменить`
          : photo.guessedArticle
            ? `Артикул ${photo.guessedArticle}, по имени файла. Изменить`
            : 'Указать артикул'
      }
      onClick={onChange}
    >
      <Tag className="ic ic-s" />
      {text}
    </button>
  );
}

function ArticleDialog({ batchId, row, onClose }: { batchId: string; row: BatchRow; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { photo } = row;
  if (!photo) return null;
  return (
    <AssignProductDialog
      photoIds={[photo.id]}
      article={photo.product?.article ?? photo.guessedArticle ?? ''}
      canTakeAway={photo.product !== null || photo.guessedArticle !== null}
      onClose={onClose}
      onAssigned={() => refetchBatch(queryClient, batchId)}
    />
  );
}

function DuplicateActions({
  batchId,
  rowId,
  onRemoved,
}: { batchId: string; rowId: string } & Pick<RowProps, 'onRemoved'>) {
  const keep = useKeepDuplicates(batchId);
  const remove = useRemoveRows(batchId);
  return (
    <div className="flex gap-2 mt-1">
      <Button variant="second" size="sm" loading={keep.isPending} onClick={() => keep.mutate([rowId])}>
        Взять
      </Button>
      <Button
        variant="quiet"
        size="sm"
        loading={remove.isPending}
        onClick={() => remove.mutate([rowId], { onSuccess: () => onRemoved([rowId]) })}
      >
        Убрать
      </Button>
    </div>
  );
}

function RepeatRow({ batchId, row }: { batchId: string; row: BatchRow }) {
  const repeat = useRepeatRows(batchId);
  return (
    <Button
      variant="second"
      size="sm"
      className="mt-1"
      icon={<RotateCcw className="ic ic-s" />}
      price={row.stars}
      loading={repeat.isPending}
      loadingText="Повторяем…"
      onClick={() =>
        repeat.mutate(
          { rowIds: [row.id], agreedStars: row.stars },
          { onError: (error) => toastFailure('Не удалось повторить', error, TRY_AGAIN) },
        )
      }
    >
      Повторить
    </Button>
  );
}

function RowMenu({
  batchId,
  row,
  onSettings,
  onRemoved,
}: Pick<RowProps, 'batchId' | 'row' | 'onSettings' | 'onRemoved'>) {
  const queryClient = useQueryClient();
  const change = useChangeRow(batchId);
  const remove = useRemoveRows(batchId);
  const isFree = IS_FREE.has(row.state);
  const cancellation = useSingleMutation({
    mutationFn: (id: string) => callApi(cancelGeneration, { params: { id } }),
    onSettled: () => refetchBatch(queryClient, batchId),
    onError: (error) => toastFailure('Не удалось остановить', error, TRY_AGAIN),
  });
  const canRemove = isFree || row.state === 'waiting';
  return (
    <Menu
      trigger={
        <IconButton label={`Действия: ${row.name}`} className="flex-none">
          <Ellipsis className="ic" />
        </IconButton>
      }
    >
      {isFree && row.state !== 'done' && row.state !== 'refused' && (
        <MenuItem icon={<Settings2 className="ic" />} onSelect={() => onSettings(row)}>
          Свои настройки
        </MenuItem>
      )}
      {isFree && row.set && (
        <MenuItem
          icon={<Undo2 className="ic" />}
          onSelect={() =>
            change.mutate(
              { rowId: row.id, set: null },
              { onError: (error) => toastFailure('Не удалось изменить строку', error, TRY_AGAIN) },
            )
          }
        >
          Как у всех
        </MenuItem>
      )}
      {row.state === 'running' && row.generationId && (
        <MenuItem icon={<X className="ic" />} onSelect={() => cancellation.mutate(row.generationId ?? '')}>
          Остановить
        </MenuItem>
      )}
      {canRemove && (
        <MenuItem
          icon={<Trash2 className="ic" />}
          onSelect={() =>
            remove.mutate([row.id], {
              onSuccess: () => onRemoved([row.id]),
              onError: (error) => toastFailure('Не удалось убрать строку', error, TRY_AGAIN),
            })
          }
        >
          Убрать из партии
        </MenuItem>
      )}
    </Menu>
  );
}

function RowSetDialog({ batch, row, onClose }: { batch: Batch; row: BatchRow; onClose: () => void }) {
  const change = useChangeRow(batch.id);
  return (
    <SetDialog
      title={`Настройки: ${row.name}`}
      set={row.set ?? batch.set}
      canChangeTool={false}
      isPending={change.isPending}
      error={change.error}
      onClose={onClose}
      onSave={(set) => change.mutate({ rowId: row.id, set }, { onSuccess: onClose })}
    />
  );
}
