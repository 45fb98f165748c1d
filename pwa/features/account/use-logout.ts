import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { hasConnection } from '#pwa/device/connection.ts';
import { logUserAction } from '#pwa/device/log.ts';
import { beginLogout, readSessionMarker } from '#pwa/features/session/session-marker.ts';
import { nb } from '#pwa/format.ts';
import { sendLogout } from './pending-logout.ts';
import { leaveSession } from './session-changes.ts';

/**
 * Signs out and removes everything of the account from the device, even without the server's confirmation, which is
 * then requested again later.
 */
export function useLogout(goToAuth: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => {
      beginLogout();
      return sendLogout();
    },
    onSuccess: async (isConfirmed) => {
      const isOver = await leaveSession(queryClient, isConfirmed);
      goToAuth();
      logUserAction('logout');
      // Somebody has signed in in another tab, so this one shows their session.
      if (readSessionMarker()) return;
      if (isOver) toast({ title: 'Выход из системы', tone: 'success' });
      else if (!hasConnection()) {
        toast({ title: 'Выход из системы', description: nb('Сервер узнает о нём, как только появится сеть') });
      } else {
        toast({
          title: 'Ошибка при выходе',
          description: nb(
            'На этом устройстве вы вышли, но сервер этого не подтвердил. Мы повторим сами; не закрывайте страницу.',
          ),
          tone: 'danger',
        });
      }
    },
  });
}
