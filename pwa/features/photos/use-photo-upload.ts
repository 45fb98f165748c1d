import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { uploadFile } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import { type UploadedPhoto, uploadPhoto } from '#shared/contract/uploads.ts';
import { findFileFault, findSizeFault, isHeic, measurePhoto, PHOTO_TEXTS } from './photo-checks.ts';

export type PhotoUploadState =
  | { phase: 'idle' }
  /** `share` of the bytes sent, null while the file is being checked. */
  | { phase: 'uploading'; name: string; previewUrl: string; share: number | null }
  | { phase: 'failed'; message: string };

const UPLOAD_FAILED = 'Ошибка загрузки';

export interface PhotoUploading {
  state: PhotoUploadState;
  /** Checks the file and sends it; a file already on its way is given up. */
  upload: (file: File) => void;
}

/** Checks a file by the rules of the page and uploads it; the result goes to `onUploaded`. */
export function usePhotoUpload(onUploaded: (photo: UploadedPhoto) => void): PhotoUploading {
  const [state, setState] = useState<PhotoUploadState>({ phase: 'idle' });
  const running = useRef<AbortController | null>(null);
  const deliver = useRef(onUploaded);
  deliver.current = onUploaded;

  useEffect(() => () => running.current?.abort(), []);
  const previewUrl = state.phase === 'uploading' ? state.previewUrl : null;
  useEffect(() => (previewUrl ? () => URL.revokeObjectURL(previewUrl) : undefined), [previewUrl]);

  const upload = useCallback(async (file: File) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const fail = (message: string) => {
      setState({ phase: 'failed', message });
      toast({ title: UPLOAD_FAILED, description: message, tone: 'danger' });
      trackEvent('error_occurred', {
        error_type: 'file_upload',
        error_message: message,
        page_location: pageLocation(),
      });
    };
    const fileFault = findFileFault(file);
    if (fileFault) return fail(fileFault);

    const preview = URL.createObjectURL(file);
    setState({ phase: 'uploading', name: file.name, previewUrl: preview, share: null });
    const size = await measurePhoto(file);
    if (own.signal.aborted) return;
    const sizeFault = size ? findSizeFault(size) : isHeic(file) ? null : PHOTO_TEXTS.unreadable;
    if (sizeFault) return fail(sizeFault);

    try {
      const onProgress = (share: number) =>
        setState({ phase: 'uploading', name: file.name, previewUrl: preview, share });
      const photo = await uploadFile(uploadPhoto, { file }, { signal: own.signal, onProgress });
      if (own.signal.aborted) return;
      setState({ phase: 'idle' });
      toast({ title: 'Изображение загружено', tone: 'success' });
      trackEvent('file_upload', {
        file_size: photo.size,
        file_type: photo.type,
        file_dimensions: `${photo.width}x${photo.height}`,
      });
      deliver.current(photo);
    } catch (error) {
      if (!own.signal.aborted) fail(describeError(error, PHOTO_TEXTS.unreadable));
    }
  }, []);

  return { state, upload };
}
