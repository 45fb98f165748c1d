import { RefreshCw, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { useInterruption } from '#pwa/components/interruptions.ts';
import { useStore } from '#pwa/device/store.ts';
import { applyUpdate, isUpdateReady } from './register-service-worker.ts';

/** Offers a new version. Nothing changes until the person agrees, because a reload may lose unfinished work. */
export function UpdateBar() {
  const isReady = useStore(isUpdateReady);
  const [isPutOff, setIsPutOff] = useState(false);
  const [isLoading, setIsLoading] = useState(false);
  const isShown = useInterruption('update', isReady && !isPutOff);
  if (!isShown) return null;
  return (
    <div className="toasts">
      <section className="toast" aria-label="Обновление">
        <RefreshCw className="ic mt-0.5" />
        <div className="min-w-0" role="status">
          <div className="font-semibold">Доступна новая версия</div>
          <p className="text-sm text-muted">Обновление займёт секунду, данные сохранятся.</p>
          <Button
            variant="quiet"
            size="sm"
            className="mt-1 -ml-3 !min-h-11"
            loading={isLoading}
            loadingText="Обновляем…"
            onClick={() => {
              setIsLoading(true);
              applyUpdate();
            }}
          >
            Обновить
          </Button>
        </div>
        <IconButton label="Закрыть" className="-mt-1.5" onClick={() => setIsPutOff(true)}>
          <X className="ic ic-s" />
        </IconButton>
      </section>
    </div>
  );
}
