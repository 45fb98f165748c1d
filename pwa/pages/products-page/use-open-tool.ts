import { useNavigate } from 'react-router-dom';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { changeStoredDraft } from '#pwa/features/generations/use-stored-draft.ts';
import { STEP_DRAFT } from '#pwa/features/model-changes/use-model-change-tool.ts';
import { PHOTO_DRAFT } from '#pwa/features/photosessions/use-photosession-tool.ts';
import { TRY_ON_DRAFT } from '#pwa/features/try-on/use-try-on-tool.ts';
import { VIDEO_DRAFT } from '#pwa/features/videos/video-draft.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** Puts a photo on the form of a tool. Its other choices stay. */
const PUT_PHOTO: Record<GenerationKind, (userId: number, photo: UploadedPhoto) => Promise<void>> = {
  video: (userId, photo) => changeStoredDraft(userId, VIDEO_DRAFT, (draft) => ({ ...draft, photo })),
  model_change: (userId, photo) =>
    changeStoredDraft(userId, STEP_DRAFT, (draft) => ({ ...draft, photo, step: 'model' as const })),
  photosession: (userId, photo) => changeStoredDraft(userId, PHOTO_DRAFT, () => photo),
  try_on: (userId, photo) => changeStoredDraft(userId, TRY_ON_DRAFT, (draft) => ({ ...draft, garment: photo })),
};

/** Opens the page of a tool with this photo on its form, where it also stays over a reload. */
export function useOpenTool(userId: number) {
  const navigate = useNavigate();
  return useSingleMutation({
    mutationFn: ({ kind, photo }: { kind: GenerationKind; photo: UploadedPhoto }) => PUT_PHOTO[kind](userId, photo),
    onSuccess: (_, { kind }) => navigate(TOOLS[kind].page),
    onError: (error) =>
      toastFailure('Не удалось перейти к инструменту', error, 'Откройте инструмент и выберите фото там'),
  });
}
