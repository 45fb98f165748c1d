import { LogOut, Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOnline } from '#pwa/device/use-online.ts';
import { useLogoutPending, useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { nb } from '#pwa/format.ts';

const GOOD_NEWS_MS = 3000;

/** Shows that there is no network, or that a sign-out is not confirmed yet, and for three seconds that it is over. */
export function StatusBar() {
  const isOnline = useOnline();
  const isLogoutPending = useLogoutPending();
  const wasOffline = useShortMemory(!isOnline);
  const wasLogoutPending = useShortMemory(isLogoutPending);
  const isSignedIn = useSessionMarker() !== null;
  const note = chooseNote({ isOnline, wasOffline, isLogoutPending, wasLogoutPending, isSignedIn });
  return (
    <div role="status" className="bar-slot">
      {note && (
        <div className="bar-note">
          <note.Icon className="ic ic-s flex-none" />
          {nb(note.text)}
        </div>
      )}
    </div>
  );
}

interface Circumstances {
  isOnline: boolean;
  wasOffline: boolean;
  isLogoutPending: boolean;
  wasLogoutPending: boolean;
  /** A sign-in also ends a pending sign-out. That is not worth a message. */
  isSignedIn: boolean;
}

function chooseNote({ isOnline, wasOffline, isLogoutPending, wasLogoutPending, isSignedIn }: Circumstances) {
  if (isLogoutPending) {
    return isOnline
      ? { Icon: LogOut, text: 'Сервер ещё не подтвердил выход. Повторяем…' }
      : { Icon: WifiOff, text: 'Нет сети. Выход завершится, когда она появится.' };
  }
  if (!isOnline) return { Icon: WifiOff, text: 'Нет сети. Показаны сохранённые данные.' };
  if (wasLogoutPending && !isSignedIn) return { Icon: LogOut, text: 'Выход завершён' };
  return wasOffline ? { Icon: Wifi, text: 'Снова в сети' } : null;
}

/** True while `isNow` is true and for three seconds after. */
function useShortMemory(isNow: boolean): boolean {
  const [wasJustNow, setWasJustNow] = useState(false);
  useEffect(() => {
    if (isNow) {
      setWasJustNow(true);
      return;
    }
    const timer = setTimeout(() => setWasJustNow(false), GOOD_NEWS_MS);
    return () => clearTimeout(timer);
  }, [isNow]);
  return wasJustNow;
}
