/** Money as YooKassa writes it. */
export const ROUBLES = /^\d{1,12}\.\d{2}$/;

/** 49000 kopecks are «490.00». */
export function formatRoubles(kopecks: number): string {
  return `${Math.floor(kopecks / 100)}.${String(kopecks % 100).padStart(2, '0')}`;
}

/** Kopecks of «490.00»; the text has to be of the shape ROUBLES. */
export function parseRoubles(value: string): number {
  return Number(value.replace('.', ''));
}
