import { useNavigate } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { changeStoredDraft } from '#pwa/features/generations/use-stored-draft.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { pickFromGallery } from '#shared/contract/gallery.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { VIDEO_DRAFT } from './video-draft.ts';

/** Opens the video page with a picture of the gallery as its photo. The chosen settings stay. */
export function useMakeVideo(userId: number): { start: (imageId: string) => void; isPending: boolean } {
  const navigate = useNavigate();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: async (id: string) => {
      const photo = await callApi(pickFromGallery, { params: { id } });
      await changeStoredDraft(userId, VIDEO_DRAFT, (draft) => ({ ...draft, photo }));
    },
    onSuccess: () => navigate(PATHS.createVideo),
    onError: (error) => {
      toastFailure('Ошибка', error, ERRORS.image_not_found.message);
    },
  });
  return { start: mutate, isPending };
}
