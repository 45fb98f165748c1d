/** Limits of Chromium, the strictest of the browsers that share files. */
export const SHARE_MAX_FILES = 10;
export const SHARE_MAX_BYTES = 50 * 1024 * 1024;

/** Whether this browser shares these files, or files of these types. */
export function canShareFiles(files: readonly File[]): boolean {
  return typeof navigator.share === 'function' && navigator.canShare?.({ files: [...files] }) === true;
}

/**
 * Opens the share sheet of the system. Browsers allow it only within a press. `refused`: the press was too long ago.
 * `closed`: the person has closed the sheet. Throws when sharing fails in any other way.
 */
export async function shareFiles(files: readonly File[]): Promise<'shared' | 'closed' | 'refused'> {
  try {
    await navigator.share?.({ files: [...files] });
    return 'shared';
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'closed';
    if (error instanceof DOMException && error.name === 'NotAllowedError') return 'refused';
    throw error;
  }
}
