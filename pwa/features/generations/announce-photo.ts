import { toast } from '#pwa/components/toast.ts';
import { trackEvent } from '#pwa/features/consent/tag-manager.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';

/** Reports an uploaded photo, by a toast and to the analytics. */
export function announcePhoto({ size, type, width, height }: UploadedPhoto): void {
  toast({ title: 'Изображение загружено', tone: 'success' });
  trackEvent('file_upload', { file_size: size, file_type: type, file_dimensions: `${width}x${height}` });
}
