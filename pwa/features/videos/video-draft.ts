import * as z from 'zod/mini';
import { writeStored } from '#pwa/device/storage.ts';
import type { DraftRecord } from '#pwa/features/generations/use-stored-draft.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import { DEFAULT_VIDEO_FORM, type VideoForm, videoForm } from './video-form.ts';

export interface VideoDraft {
  photo: UploadedPhoto | null;
  form: VideoForm;
}

/** Without a photo nothing is stored. */
const savedDraft = z.object({ photo: uploadedPhoto, form: videoForm });
const EMPTY_DRAFT: VideoDraft = { photo: null, form: DEFAULT_VIDEO_FORM };

export const VIDEO_DRAFT: DraftRecord<VideoDraft> = {
  name: 'videoDraft',
  shape: savedDraft,
  empty: EMPTY_DRAFT,
  // What was restored or chosen meanwhile is newer.
  join: (saved, { photo, form }) =>
    photo === null && form === DEFAULT_VIDEO_FORM ? saved : { photo: photo ?? saved.photo, form },
};

export function saveDraft(userId: number, draft: z.infer<typeof savedDraft>): Promise<void> {
  return writeStored(userId, VIDEO_DRAFT.name, draft);
}
