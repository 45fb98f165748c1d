import { useMutation } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { DownloadError, downloadTarget } from '#pwa/features/downloads/download-file.ts';
import type { GalleryItem } from '#pwa/features/gallery/gallery-item.ts';
import { DOWNLOAD_TEXTS } from '#pwa/lib/download-access.ts';
import type { ExportFix } from '#shared/rules/marketplaces.ts';

/** Has a file made fit for a marketplace and saves it. */
export function useFixForMarketplace(onSaved: () => void) {
  return useMutation({
    mutationFn: ({ item, fix }: { item: GalleryItem; fix: ExportFix }) =>
      downloadTarget({ kind: 'export', resultId: item.id, fix, title: item.title, pictureUrl: item.pictureUrl }),
    onSuccess: () => {
      toast({ title: 'Файл сохранён', tone: 'success' });
      onSaved();
    },
    onError: (error) =>
      toast({
        title: 'Ошибка скачивания',
        description: error instanceof DownloadError ? error.message : DOWNLOAD_TEXTS.failed,
        tone: 'danger',
      }),
  });
}
