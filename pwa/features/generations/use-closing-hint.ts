import { usePushState } from '#pwa/lib/use-push-state.ts';

/** Says that the page may be closed. Promises a notification only when this browser gets one. */
export function useClosingHint(place: 'истории' | 'галерее'): string {
  const isTold = usePushState() === 'on';
  return `Страницу можно закрыть — ${isTold ? 'пришлём уведомление' : `результат появится в ${place}`}.`;
}
