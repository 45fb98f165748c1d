import type { BatchRow } from '#shared/contract/batches.ts';

/** What the order of a review follows from. */
export type ReviewedRow = Pick<BatchRow, 'id' | 'isTaken'> & {
  results: readonly Pick<BatchRow['results'][number], 'garmentCheck'>[];
};

/** What a person decides of a row: taken, not taken, or undecided again. */
export type Decision = boolean | null;
export type Decisions = ReadonlyMap<string, Decision>;

/** Where a review stands. The decisions themselves are in the rows. */
export interface ReviewState {
  /** The row that is looked at. Null at the end, and before the first one is chosen. */
  currentId: string | null;
  /** What can be undone, the last step at the end. */
  steps: readonly Step[];
}

interface Step {
  currentId: string | null;
  /** What was decided of these rows before. */
  former: Decisions;
}

export interface Decided {
  state: ReviewState;
  /** What the rows become. */
  decisions: Decisions;
}

export const FIRST_STATE: ReviewState = { currentId: null, steps: [] };

export function hasDrifted({ results }: Pick<ReviewedRow, 'results'>): boolean {
  return results.some(({ garmentCheck }) => garmentCheck?.verdict === 'drifted');
}

/** Whether nothing speaks against taking it unseen. A garment that is still being compared does. */
export function isClean(row: ReviewedRow): boolean {
  const isPending = row.results.some(({ garmentCheck }) => garmentCheck?.verdict === 'pending');
  return row.results.length > 0 && !isPending && !hasDrifted(row);
}

/** Undecided rows, those with a drifted garment first, then the decided ones; otherwise as they were. */
export function orderRows<Row extends ReviewedRow>(rows: readonly Row[]): Row[] {
  const rank = (row: Row) => (row.isTaken !== null ? 2 : hasDrifted(row) ? 0 : 1);
  return [...rows].sort((a, b) => rank(a) - rank(b));
}

export function listUndecided<Row extends ReviewedRow>(rows: readonly Row[]): Row[] {
  return rows.filter(({ isTaken }) => isTaken === null);
}

/** The rows after decisions. */
export function applyDecisions<Row extends ReviewedRow>(rows: readonly Row[], decisions: Decisions): readonly Row[] {
  if (decisions.size === 0) return rows;
  return rows.map((row) => {
    const isTaken = decisions.get(row.id);
    return isTaken === undefined || isTaken === row.isTaken ? row : { ...row, isTaken };
  });
}

/** The row that is looked at: the chosen one, otherwise the first undecided one. Null when all are decided. */
export function findCurrent<Row extends ReviewedRow>(state: ReviewState, rows: readonly Row[]): Row | null {
  return rows.find(({ id }) => id === state.currentId) ?? orderRows(listUndecided(rows))[0] ?? null;
}

/** Decides about rows, and looks at the next undecided one. */
export function decide(
  state: ReviewState,
  rows: readonly ReviewedRow[],
  rowIds: readonly string[],
  isTaken: boolean,
): Decided {
  const chosen = new Set(rowIds);
  const changed = rows.filter((row) => chosen.has(row.id));
  const former = new Map(changed.map((row) => [row.id, row.isTaken]));
  const currentId = findCurrent(state, rows)?.id ?? null;
  return {
    state: {
      currentId: currentId !== null && chosen.has(currentId) ? findNext(rows, currentId, chosen) : currentId,
      steps: [...state.steps, { currentId: state.currentId, former }],
    },
    decisions: new Map(changed.map(({ id }) => [id, isTaken])),
  };
}

/** Takes the last step back, as far as its rows are still there. Null when nothing can be undone. */
export function undo(state: ReviewState, rows: readonly ReviewedRow[]): Decided | null {
  const there = new Set(rows.map(({ id }) => id));
  for (let index = state.steps.length - 1; index >= 0; index--) {
    const { currentId, former } = state.steps[index] as Step;
    const decisions = new Map([...former].filter(([id]) => there.has(id)));
    if (decisions.size > 0) return { state: { currentId, steps: state.steps.slice(0, index) }, decisions };
  }
  return null;
}

/** The row is made again: nothing that was decided of its former result can be undone, and the next one is looked at. */
export function leaveRow(state: ReviewState, rows: readonly ReviewedRow[], rowId: string): ReviewState {
  const steps = state.steps.map((step) => ({
    ...step,
    former: new Map([...step.former].filter(([id]) => id !== rowId)),
  }));
  const isCurrent = findCurrent(state, rows)?.id === rowId;
  return {
    currentId: isCurrent ? findNext(rows, rowId, new Set([rowId])) : state.currentId,
    steps: steps.filter(({ former }) => former.size > 0),
  };
}

/** Looks at the next or the previous row. From the end, back is the last one. */
export function move(state: ReviewState, rows: readonly ReviewedRow[], by: number): ReviewState {
  const ordered = orderRows(rows);
  const current = findCurrent(state, rows);
  const index = current ? ordered.findIndex(({ id }) => id === current.id) : ordered.length;
  const next = ordered[Math.max(0, Math.min(ordered.length - 1, index + by))];
  return { ...state, currentId: next?.id ?? null };
}

/** The next undecided row after this one, without these: past the end, the first one. Null when there is none. */
function findNext(rows: readonly ReviewedRow[], id: string, without: ReadonlySet<string>): string | null {
  const ordered = orderRows(rows);
  const index = ordered.findIndex((row) => row.id === id);
  const onwards = [...ordered.slice(index), ...ordered.slice(0, index)];
  return onwards.find((row) => row.isTaken === null && !without.has(row.id))?.id ?? null;
}
