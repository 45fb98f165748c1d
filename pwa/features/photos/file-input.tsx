import type { Ref } from 'react';
import { PHOTO_ACCEPTED_TYPES } from '#shared/rules/photo-requirements.ts';

export interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  onFile: (file: File) => void;
  /** Opens the back camera at once on devices that have one. */
  useCamera?: boolean;
}

/** The browser's file picker for one photo. Other buttons open it. */
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
        // Cleared, so that choosing the same file again fires a change event.
        event.target.value = '';
        if (file) onFile(file);
      }}
    />
  );
}
