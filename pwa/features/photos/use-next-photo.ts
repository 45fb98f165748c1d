import { type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { PhotoUploadHandle } from './photo-upload.tsx';

interface NextPhoto {
  /** For the PhotoUpload that is asked. */
  upload: RefObject<PhotoUploadHandle | null>;
  /** For a press: asks for a photo and opens the file chooser in the same press. */
  askAfter: (change: () => void) => void;
  /** Only moves the focus to the upload. */
  focusAfter: (change: () => void) => void;
}

/**
 * Leads to the upload after `change`, which may bring the upload back to the page. The change is drawn at once: browsers
 * open a file chooser only during the press.
 */
export function useNextPhoto(): NextPhoto {
  const upload = useRef<PhotoUploadHandle>(null);
  const focusAfter = (change: () => void) => {
    flushSync(change);
    upload.current?.focus();
  };
  return {
    upload,
    focusAfter,
    askAfter: (change) => {
      focusAfter(change);
      upload.current?.ask();
    },
  };
}
