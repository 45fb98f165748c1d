export interface PrecacheEntry {
  url: string;
  /** Null when the file's name changes with its content. */
  revision: string | null;
}

const DOCUMENT = 'index.html';

/**
 * Adds the variant to the document's revision. The server's settings change the document, and the worker must then
 * fetch it again.
 */
export function nameVariant(files: PrecacheEntry[], variant: string | undefined): PrecacheEntry[] {
  if (!variant) return files;
  return files.map((file) => (file.url === DOCUMENT ? { ...file, revision: `${file.revision}-${variant}` } : file));
}
