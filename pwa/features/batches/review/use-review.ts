import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useStore } from '#pwa/device/store.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { nb } from '#pwa/format.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { dropRefusal, outboxOf, sendDecisions } from './review-outbox.ts';
import {
  applyDecisions,
  type Decided,
  decide,
  FIRST_STATE,
  findCurrent,
  isClean,
  leaveRow,
  listUndecided,
  move,
  orderRows,
  undo,
} from './review-state.ts';
import { priceOfRedo, useRedo } from './use-redo.ts';

export type Review = ReturnType<typeof useReview>;

/** The results of a batch under review, and what can be done with them. */
export function useReview(batch: Batch, allRows: readonly BatchRow[]) {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const outbox = useStore(outboxOf(batch.id));
  const { leavingIds, redo } = useRedo(batch);
  const [state, setState] = useState(FIRST_STATE);
  const [message, setMessage] = useState('');

  const rows = useMemo(() => {
    const done = allRows.filter((row) => row.state === 'done' && !leavingIds.has(row.id));
    return applyDecisions(done, outbox.pending);
  }, [allRows, leavingIds, outbox.pending]);
  const ordered = useMemo(() => orderRows(rows), [rows]);
  const current = findCurrent(state, rows);
  const undecided = listUndecided(rows);
  const clean = undecided.filter(isClean);

  const carryOut = ({ state: next, decisions }: Decided, words: string) => {
    setState(next);
    sendDecisions(queryClient, batch.id, decisions);
    setMessage(`${words}. ${describeLeft(listUndecided(applyDecisions(rows, decisions)).length)}`);
  };
  const decideRow = (row: BatchRow, isTaken: boolean) =>
    carryOut(decide(state, rows, [row.id], isTaken), `${isTaken ? 'Взято' : 'Не взято'}: ${titleRow(row)}`);
  const undone = undo(state, rows);

  return {
    rows: ordered,
    current,
    left: undecided.length,
    taken: rows.filter(({ isTaken }) => isTaken === true).length,
    notTaken: rows.filter(({ isTaken }) => isTaken === false).length,
    /** How many rows are being made, or wait for it. */
    coming: allRows.filter((row) => ['waiting', 'running'].includes(row.state) || leavingIds.has(row.id)).length,
    /** How many «Взять все без замечаний» takes. */
    cleanCount: clean.length,
    canUndo: undone !== null,
    isOnline,
    /** How many decisions wait for the connection. */
    unsent: outbox.pending.size,
    refusal: outbox.refusal,
    /** What has just been done, for screen readers. */
    message,
    show: (rowId: string | null) => setState({ ...state, currentId: rowId }),
    moveBy: (by: number) => setState(move(state, rows, by)),
    decide: decideRow,
    takeClean() {
      if (clean.length === 0) return;
      const ids = clean.map(({ id }) => id);
      carryOut(decide(state, rows, ids, true), nb(`Взято без замечаний: ${clean.length}`));
    },
    undo: () => undone && carryOut(undone, 'Отменено'),
    redo(row: BatchRow) {
      const reason = whyNoRedo(row, isOnline);
      if (reason) return setMessage(reason);
      setState(leaveRow(state, rows, row.id));
      redo(row);
      const price = priceOfRedo(row);
      const cost = price === 0 ? 'бесплатно' : `${price} ${pluralize(price, ['звезда', 'звезды', 'звёзд'])}`;
      setMessage(
        nb(
          `Переделываем: ${titleRow(row)}, ${cost}. ${describeLeft(undecided.length - (row.isTaken === null ? 1 : 0))}`,
        ),
      );
    },
    sendAgain: () => outbox.refusal && sendDecisions(queryClient, batch.id, outbox.refusal.decisions),
    dropRefusal: () => dropRefusal(batch.id),
  };
}

/** Why a row cannot be made again now. Null when it can. */
export function whyNoRedo({ photo }: Pick<BatchRow, 'photo'>, isOnline: boolean): string | null {
  if (photo === null) return 'Исходное фото удалено';
  return isOnline ? null : 'Нет сети';
}

/** «Осталось 7» */
export function describeLeft(left: number): string {
  return nb(left === 0 ? 'Всё просмотрено' : `Осталось ${left}`);
}

/** The article of a row, otherwise the name of its file. */
export function titleRow({ photo, article, name }: Pick<BatchRow, 'photo' | 'article' | 'name'>): string {
  return photo?.product?.article ?? article ?? name;
}
