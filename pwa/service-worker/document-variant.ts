export interface KeptFile {
  url: string;
  /** Null where the name changes with the content. */
  revision: string | null;
}

const DOCUMENT = 'index.html';

/** Makes another revision of the document where the server sends it changed, so that it is fetched anew. */
export function nameVariant(files: KeptFile[], variant: string | undefined): KeptFile[] {
  if (!variant) return files;
  return files.map((file) => (file.url === DOCUMENT ? { ...file, revision: `${file.revision}-${variant}` } : file));
}
