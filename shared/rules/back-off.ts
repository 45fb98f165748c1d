export interface BackOff {
  firstMs: number;
  longestMs: number;
  /** How much longer each pause is than the one before. Twice unless set. */
  factor?: number;
}

/** Exponential back-off: the milliseconds before the next try, after so many failures since the first. */
export function backOffMs(failures: number, { firstMs, longestMs, factor = 2 }: BackOff): number {
  return Math.min(firstMs * factor ** failures, longestMs);
}
