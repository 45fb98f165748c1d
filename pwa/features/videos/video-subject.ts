import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { VideoForm } from './video-form.ts';

/** What a generation is made from, as far as this device knows. */
export interface VideoSubject {
  photo: UploadedPhoto | null;
  /** A thumbnail of the photo when the photo itself is unknown. */
  thumbnailUrl: string | null;
  form: VideoForm;
}

/** The best available picture of the subject. */
export function subjectPicture({ photo, thumbnailUrl }: VideoSubject): string | null {
  return photo?.previewUrl ?? thumbnailUrl;
}
