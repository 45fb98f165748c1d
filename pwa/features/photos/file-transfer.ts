import { type DragEvent, useEffect, useRef, useState } from 'react';
import { findFolders, readFolders } from './dropped-folders.ts';

/** A tool takes one photo, and only some of the others can wait. */
const FOLDER_FILES_MAX = 50;

export interface FileDrop {
  /** Whether a file is being dragged over the zone. */
  isOver: boolean;
  /** For the zone's element. */
  handlers: Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>;
}

export interface TransferHandlers {
  /** At least one. Files of a dropped folder know its name (`readFolder`). */
  onFiles: (files: readonly File[]) => void;
  /** The address of a picture came instead of a file, as from another tab. The page may not fetch it. */
  onLink: () => void;
}

/**
 * Accepts files dropped on a zone. What is dropped elsewhere does not make the browser leave the page. `filesMax`: how many
 * files of dropped folders are read.
 */
export function useFileDrop(
  { onFiles, onLink }: TransferHandlers,
  isEnabled: boolean,
  filesMax = FOLDER_FILES_MAX,
): FileDrop {
  // Entering a child fires before leaving its parent, so a counter tells when the zone itself is left.
  const depth = useRef(0);
  const [isOver, setIsOver] = useState(false);
  const setDepth = (next: number) => {
    depth.current = Math.max(0, next);
    setIsOver(depth.current > 0);
  };

  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      const isOurs = carriesFiles(event.dataTransfer) || (carriesLink(event.dataTransfer) && !isEditable(event.target));
      if (!isOurs || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);

  const accepts = (event: DragEvent) => isEnabled && carriesFiles(event.dataTransfer);
  const acceptsLink = (event: DragEvent) => isEnabled && carriesLink(event.dataTransfer);
  return {
    isOver,
    handlers: {
      onDragEnter: (event) => {
        if (accepts(event)) setDepth(depth.current + 1);
      },
      onDragLeave: (event) => {
        if (accepts(event)) setDepth(depth.current - 1);
      },
      onDragOver: (event) => {
        if (!accepts(event) && !acceptsLink(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDrop: (event) => {
        if (!accepts(event) && !acceptsLink(event)) return;
        event.preventDefault();
        setDepth(0);
        const files = listFiles(event.dataTransfer);
        const folders = findFolders(event.dataTransfer);
        if (folders.length > 0) void openFolders(folders, files, filesMax).then(onFiles);
        else if (files.length > 0) onFiles(files);
        else onLink();
      },
    },
  };
}

/** Accepts files pasted anywhere on the page (Ctrl+V). Text pasted into a field is ignored. */
export function usePastedFile(handlers: TransferHandlers, isEnabled: boolean): void {
  const handle = useRef(handlers);
  handle.current = handlers;
  useEffect(() => {
    if (!isEnabled) return;
    const onPaste = (event: ClipboardEvent) => {
      const files = listFiles(event.clipboardData);
      const isLink = !isEditable(event.target) && ADDRESS.test(event.clipboardData?.getData('text/plain').trim() ?? '');
      if (files.length === 0 && !isLink) return;
      event.preventDefault();
      if (files.length > 0) handle.current.onFiles(files);
      else handle.current.onLink();
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [isEnabled]);
}

/** The files of a drop or paste. They can be read only while its event is handled. */
function listFiles(transfer: DataTransfer | null): File[] {
  return [...(transfer?.files ?? [])];
}

/**
 * Files of a drop with folders. A folder stands among the files, too: where nothing could be read, its error says so.
 */
async function openFolders(
  folders: FileSystemDirectoryEntry[],
  files: readonly File[],
  max: number,
): Promise<readonly File[]> {
  const found = await readFolders(folders, max).catch(() => []);
  const loose = files.filter(({ name }) => !folders.some((folder) => folder.name === name));
  return loose.length + found.length > 0 ? [...loose, ...found] : files;
}

const ADDRESS = /^(https?:\/\/|data:image\/)\S+$/i;
const EDITABLE = 'input, textarea, [contenteditable]';

function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(EDITABLE) !== null;
}

/** A picture or link of another page. */
function carriesLink(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('text/uri-list') ?? false;
}

/** Whether a drag carries files. */
function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}
