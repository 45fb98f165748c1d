export interface KeyMoves {
  /** The largest value; the smallest is 0. */
  max: number;
  /** What the arrows move by. */
  step: number;
  /** What Page Up and Page Down move by. Absent where they scroll the page. */
  page?: number;
}

/** The value of a slider after a key press; null for a key that does not move it. */
export function moveByKey(key: string, value: number, { max, step, page }: KeyMoves): number | null {
  const moves: Record<string, number | undefined> = {
    ArrowLeft: -step,
    ArrowDown: -step,
    ArrowRight: step,
    ArrowUp: step,
    PageDown: page && -page,
    PageUp: page,
    Home: -max,
    End: max,
  };
  const move = moves[key];
  return move === undefined ? null : Math.min(max, Math.max(0, value + move));
}
