import { usePushState } from '#pwa/lib/use-push-state.ts';

/** That nobody has to wait in front of the page. A notification is promised only where one will come. */
export function useClosingHint(place: 'истории' | 'галерее'): string {
  const isTold = usePushState() === 'on';
  return `Страницу можно закрыть — ${isTold ? 'пришлём уведомление' : `результат появится в ${place}`}.`;
}
