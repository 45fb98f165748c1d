import type { Ref } from 'react';
import { PHOTO_ACCEPTED_TYPES } from '#shared/rules/photo-requirements.ts';

export interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  onFile: (file: File) => void;
  /** Opens the back camera at once where the device has one. */
  useCamera?: boolean;
}

/** The browser's own chooser of one photo; opened by the buttons around it. */
export function FileInput({ ref, onFile, useCamera = false }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      className="sr-only"
      tabIndex={-1}
      aria-hidden="true"
      accept={useCamera ? 'image/*' : PHOTO_ACCEPTED_TYPES.join(',')}
      capture={useCamera ? 'environment' : undefined}
      onChange={(event) => {
        const file = event.target.files?.[0];
        // Emptied, so that choosing the same file again is a change too.
        event.target.value = '';
        if (file) onFile(file);
      }}
    />
  );
}
