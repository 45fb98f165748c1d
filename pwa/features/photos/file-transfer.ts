import { type DragEvent, useEffect, useRef, useState } from 'react';

export interface FileDrop {
  /** Whether a file is being dragged over the zone. */
  isOver: boolean;
  /** For the zone's element. */
  handlers: Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>;
}

/** Accepts files dropped on a zone. A file dropped elsewhere does not make the browser leave the page. */
export function useFileDrop(onFile: (file: File) => void, isEnabled: boolean): FileDrop {
  // Entering a child fires before leaving its parent, so a counter tells when the zone itself is left.
  const depth = useRef(0);
  const [isOver, setIsOver] = useState(false);
  const setDepth = (next: number) => {
    depth.current = Math.max(0, next);
    setIsOver(depth.current > 0);
  };

  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return;
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
        if (!accepts(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDrop: (event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        setDepth(0);
        const file = pickFile(event.dataTransfer);
        if (file) onFile(file);
      },
    },
  };
}

/** Accepts a file pasted anywhere on the page (Ctrl+V). Text pasted into a field is ignored. */
export function usePastedFile(onFile: (file: File) => void, isEnabled: boolean): void {
  const handle = useRef(onFile);
  handle.current = onFile;
  useEffect(() => {
    if (!isEnabled) return;
    const onPaste = (event: ClipboardEvent) => {
      const file = pickFile(event.clipboardData);
      if (!file) return;
      event.preventDefault();
      handle.current(file);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [isEnabled]);
}

/** The file of a drop or paste: the first picture, else the first file, else null. */
function pickFile(transfer: DataTransfer | null): File | null {
  const files = [...(transfer?.files ?? [])];
  return files.find((file) => file.type.startsWith('image/')) ?? files[0] ?? null;
}

/** Whether a drag carries files: text and links are ignored. */
function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') ?? false;
}
