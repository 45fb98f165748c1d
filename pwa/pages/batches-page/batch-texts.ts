import { formatMoment, formatNumber, nb } from '#pwa/format.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import type { RowState } from '#shared/rules/batches.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';

/** What the summary says of rows in each state, in its order: «48 готово», «3 ждут». */
const STATE_WORDS: Readonly<Record<RowState, (count: number) => string>> = {
  done: () => 'готово',
  failed: () => 'не вышло',
  running: (count) => pluralize(count, ['создаётся', 'создаются', 'создаются']),
  waiting: (count) => pluralize(count, ['ждёт', 'ждут', 'ждут']),
  ready: () => 'к запуску',
  uploading: (count) => pluralize(count, ['загружается', 'загружаются', 'загружаются']),
  duplicate: (count) => pluralize(count, ['повтор', 'повтора', 'повторов']),
  refused: () => 'не принято',
  stopped: () => 'остановлено',
};
const SUMMARY_ORDER = Object.keys(STATE_WORDS) as RowState[];

/** «48 готово, 2 не вышло, 3 ждут: всего 53». Its numbers add up to the last one. */
export function describeCounts(counts: Batch['counts']): string {
  const parts = SUMMARY_ORDER.filter((state) => counts[state] > 0).map(
    (state) => `${formatNumber(counts[state])} ${STATE_WORDS[state](counts[state])}`,
  );
  if (parts.length === 0) return 'Пока пусто';
  return nb(`${parts.join(', ')}: всего ${countPhotos(counts.all)}`);
}

export function countPhotos(count: number): string {
  return `${formatNumber(count)}\u00a0фото`;
}

/** How much of what was started is over, 0 to 1. Null when nothing was started. */
export function shareDone({ counts }: Pick<Batch, 'counts'>): number | null {
  const over = counts.done + counts.failed + counts.stopped;
  const started = over + counts.waiting + counts.running;
  return started === 0 ? null : over / started;
}

/** «На паузе до 14:20», «Не хватает 3 звёзд», or why its owner has to act. */
export function describePause({ code, message, resumesAt, missingStars }: NonNullable<Batch['pause']>): string {
  if (code === 'not_enough_stars' && missingStars) return nb(`${message}. Не хватает: ${countStars(missingStars)}.`);
  const when = resumesAt === null ? '' : ` Продолжится: ${formatMoment(Date.parse(resumesAt))}.`;
  return nb(`${message}.${when}`);
}

/** Why rows have failed or were refused, each reason once, with the rows that it is about. */
export function groupReasons(rows: readonly BatchRow[]): { code: string; message: string; rows: BatchRow[] }[] {
  const groups = new Map<string, { code: string; message: string; rows: BatchRow[] }>();
  for (const row of rows) {
    if (!row.reason || (row.state !== 'failed' && row.state !== 'refused')) continue;
    const group = groups.get(row.reason.code) ?? { ...row.reason, rows: [] };
    group.rows.push(row);
    groups.set(row.reason.code, group);
  }
  return [...groups.values()];
}

/** What a batch is doing, for the list of batches. */
export function describeStatus({ status, counts, review, pause }: Batch): string {
  if (status === 'paused') return pause?.code === 'not_enough_stars' ? 'Ждёт звёзд' : 'На паузе';
  if (status === 'running') return 'Идёт';
  if (counts.ready > 0 && counts.done === 0) return 'Не запущена';
  if (review.left > 0) return `Осталось просмотреть: ${formatNumber(review.left)}`;
  return counts.done > 0 ? 'Готова' : 'Не запущена';
}
