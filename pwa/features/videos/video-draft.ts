import * as z from 'zod/mini';
import type { DraftRecord } from '#pwa/features/generations/use-stored-draft.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { type VideoForm, videoForm } from './video-form.ts';

export interface VideoDraft {
  photo: UploadedPhoto | null;
  /** Null until the person chooses something: the account's last settings count. */
  form: VideoForm | null;
}

/** Without a photo nothing is stored. */
const savedDraft = z.object({ photo: uploadedPhoto, form: z.nullable(videoForm) });
const EMPTY_DRAFT: VideoDraft = { photo: null, form: null };

export const VIDEO_DRAFT: DraftRecord<VideoDraft> = {
  name: 'videoDraft',
  shape: savedDraft,
  empty: EMPTY_DRAFT,
  // What was restored or chosen meanwhile is newer.
  join: (saved, { photo, form }) => ({ photo: photo ?? saved.photo, form: form ?? saved.form }),
};
