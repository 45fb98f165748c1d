import { putInFolder } from '#pwa/features/uploads/photo-folder.ts';

/** The folders among what is dropped. They can be found only while the event is handled. */
export function findFolders(transfer: DataTransfer): FileSystemDirectoryEntry[] {
  return [...transfer.items].flatMap((item) => {
    // Firefox on Android has no folders to drop.
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null;
    return entry?.isDirectory ? [entry as FileSystemDirectoryEntry] : [];
  });
}

/**
 * The files of folders and of the folders in them, by name, each with the name of its own folder. Rejects when one of
 * them cannot be read. No more than `max` files are read.
 */
export async function readFolders(folders: readonly FileSystemDirectoryEntry[], max: number): Promise<File[]> {
  const files: File[] = [];
  for (const folder of folders) {
    const entries = await listEntries(folder);
    entries.sort((a, b) => compareNames(a.name, b.name));
    for (const entry of entries) {
      if (files.length >= max) break;
      if (entry.isFile) files.push(putInFolder(await readFile(entry as FileSystemFileEntry), folder.name));
    }
    const inner = entries.filter((entry) => entry.isDirectory) as FileSystemDirectoryEntry[];
    if (files.length < max) files.push(...(await readFolders(inner, max - files.length)));
  }
  return files.slice(0, max);
}

/** The order in which `readFolders` reads files: those of a folder by name, and then the folders in it. */
export function compareInFolders(a: File, b: File): number {
  const [pathA, pathB] = [a.webkitRelativePath.split('/'), b.webkitRelativePath.split('/')];
  const apart = pathA.findIndex((part, index) => part !== pathB[index]);
  const isFile = (path: string[]) => apart === path.length - 1;
  return Number(isFile(pathB)) - Number(isFile(pathA)) || compareNames(pathA[apart] ?? '', pathB[apart] ?? '');
}

function compareNames(a: string, b: string): number {
  return a.localeCompare(b, 'ru', { numeric: true });
}

async function listEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // A reader gives its entries in parts, and an empty one at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
