import { pushState } from '#pwa/client/push.ts';
import { BrandMark } from '#pwa/components/brand-mark.tsx';
import { Button } from '#pwa/components/button.tsx';
import { useInterruption } from '#pwa/components/interruptions.ts';
import { Notice } from '#pwa/components/notice.tsx';
import { useStore } from '#pwa/device/store.ts';
import { usePutOff } from '#pwa/device/use-put-off.ts';
import { nb } from '#pwa/format.ts';
import { DENIED_STEPS, useSubscribe } from './use-subscribe.ts';

export interface PushPrimingProps {
  userId: number;
  /** A generation is in progress, so a notification would be useful. */
  isWaiting: boolean;
  /** The text of the sample notification, such as «Видео готово». */
  sample: string;
  className?: string;
}

const DISMISSED_KEY = 'podium.pushDismissedAt';

/** Offers notifications during a generation. The browser asks for the permission only after «Сообщить». */
export function PushPriming({ userId, isWaiting, sample, className = '' }: PushPrimingProps) {
  const state = useStore(pushState);
  const subscribing = useSubscribe(userId);
  const [isDismissed, dismiss] = usePutOff(DISMISSED_KEY);
  const isWanted = isWaiting && !isDismissed && state === 'off';
  // It covers nothing itself, but panels that cover the page wait for it.
  useInterruption('push', isWanted);
  if (isWaiting && state === 'denied' && subscribing.isError) {
    return (
      <Notice tone="info" title="Уведомления запрещены в браузере" className={className}>
        {nb(DENIED_STEPS)}
      </Notice>
    );
  }
  if (!isWanted) return null;
  return (
    <section className={`panel p-4 ${className}`} aria-label="Уведомление о результате">
      <p className="font-semibold">{nb('Сообщить, когда будет готово?')}</p>
      <p className="text-sm text-muted mt-1">
        {nb('Страницу можно закрыть: пришлём одно уведомление на это устройство.')}
      </p>
      <div className="flex items-center gap-3 mt-3 rounded-panel bg-sunken p-3" aria-hidden="true">
        <span className="flex-none">
          <BrandMark size={28} />
        </span>
        <div className="min-w-0 text-sm">
          <p className="font-semibold">{sample}</p>
          <p className="text-muted">Откройте, чтобы посмотреть и скачать.</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 mt-3">
        <Button
          variant="second"
          size="sm"
          loading={subscribing.isPending}
          loadingText="Подключаем…"
          onClick={subscribing.subscribe}
        >
          Сообщить
        </Button>
        <Button variant="quiet" size="sm" onClick={dismiss}>
          Не сейчас
        </Button>
      </div>
    </section>
  );
}
