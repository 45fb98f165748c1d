import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/lib/format.ts';
import { subscribeReceivedFile, takeReceivedFile } from '#pwa/lib/received-file.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { SHARE_QUERY } from '#shared/rules/share-target.ts';

/** Hands over the photo that another app has shared, once; the address then forgets about it. */
export function useReceivedPhoto(onFile: (file: File) => Promise<void>, isEnabled: boolean): void {
  const handle = useRef(onFile);
  handle.current = onFile;
  const { search, pathname } = useLocation();
  const navigate = useNavigate();

  useEffect(() => {
    if (!isEnabled) return;
    const take = async () => {
      // Without the device's storage nothing can have been kept.
      const received = await takeReceivedFile().catch(() => null);
      if (!received) return;
      await handle.current(received.file);
      // After what the upload itself says: of two toasts only the later one is seen.
      if (received.leftOut > 0) tellLeftOut(received.leftOut);
    };
    void take();
    return subscribeReceivedFile(() => void take());
  }, [isEnabled]);

  useEffect(() => {
    if (!isEnabled || new URLSearchParams(search).get('share') !== SHARE_QUERY.received) return;
    void navigate(pathname, { replace: true, preventScrollReset: true });
  }, [isEnabled, search, pathname, navigate]);
}

function tellLeftOut(count: number): void {
  const files = pluralize(count, ['файл не взят', 'файла не взяты', 'файлов не взяты']);
  toast({ title: 'Взято первое фото', description: nb(`Ещё ${count} ${files}: видео делается из одного фото`) });
}
