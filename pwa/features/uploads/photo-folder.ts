/** The server takes no longer name. */
const FOLDER_MAX_LENGTH = 255;

/** The name of the folder that a file was chosen or dropped with. Null when nobody knows it. */
export function readFolder({ webkitRelativePath = '' }: Pick<File, 'webkitRelativePath'>): string | null {
  return webkitRelativePath.split('/').at(-2)?.slice(0, FOLDER_MAX_LENGTH) || null;
}

/** The same file, which says that it comes from this folder, as one of a folder picker does. */
export function putInFolder(file: File, folder: string | null): File {
  if (folder === null) return file;
  return Object.defineProperty(file, 'webkitRelativePath', { value: `${folder}/${file.name}`, configurable: true });
}
