import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { obtainConsent } from '#pwa/features/consent/document-consent.ts';
import { useRefetchOfProducts } from '#pwa/features/products/product-changes.ts';
import { uploadFile } from '#pwa/features/uploads/upload-file.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import { assignProduct } from '#shared/contract/products.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { findFileFault, PHOTO_TEXTS } from './photo-checks.ts';

const UPLOAD_FAILED = 'Ошибка загрузки';

/** Uploads a photo of a product. What no tool waits for does not wait on the device either. */
export function useProductUpload({ article }: Pick<ProductMark, 'article'>) {
  const queryClient = useQueryClient();
  const refetch = useRefetchOfProducts();
  return useSingleMutation({
    /** Resolves with why the file cannot be used, or null. */
    async mutationFn(file: File): Promise<string | null> {
      const fault = await findFileFault(file).catch(() => PHOTO_TEXTS.notSent);
      if (fault || !(await obtainConsent(queryClient))) return fault;
      const headers = { [IDEMPOTENCY_KEY_HEADER]: crypto.randomUUID() };
      const { id, name } = await uploadFile(uploadPhoto, { file, query: {} }, { headers });
      await callApi(assignProduct, { body: { article, photoIds: [id], itemIds: [] } });
      toast({ title: `Фото «${name}» загружено`, tone: 'success' });
      return null;
    },
    onSuccess: (fault) => fault && toast({ title: UPLOAD_FAILED, description: fault, tone: 'danger' }),
    onError: (error) => toastFailure(UPLOAD_FAILED, error, PHOTO_TEXTS.notSent),
    onSettled: refetch,
  });
}
