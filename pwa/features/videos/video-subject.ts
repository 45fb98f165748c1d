import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { VideoForm } from './video-form.ts';

/** What a generation is made from, as far as this device knows. */
export interface VideoSubject {
  photo: UploadedPhoto | null;
  /** A small picture of the photo where the photo itself is not known. */
  thumbnailUrl: string | null;
  form: VideoForm;
}

/** The best picture of the subject there is. */
export function subjectPicture({ photo, thumbnailUrl }: VideoSubject): string | null {
  return photo?.previewUrl ?? thumbnailUrl;
}
