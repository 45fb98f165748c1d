import { pushState } from '#pwa/client/push.ts';
import { useStore } from '#pwa/device/store.ts';

/**
 * Says that the page may be closed. Promises a notification only when this browser gets one. `isRemote`: the work takes
 * minutes, so it also says where to look meanwhile.
 */
export function useClosingHint(place: 'истории' | 'галерее', isRemote: boolean): string {
  const isTold = useStore(pushState) === 'on';
  const hint = `Страницу можно закрыть — ${isTold ? 'пришлём уведомление' : `результат появится в ${place}`}.`;
  return isRemote ? `${hint} Вернуться к ходу генерации можно с главной.` : hint;
}
