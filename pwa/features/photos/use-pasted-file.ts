import { useEffect, useRef } from 'react';
import { pickFile } from './photo-transfer.ts';

/** Hands over a file pasted anywhere on the page (Ctrl+V); text pasted into a field is left alone. */
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
