import { Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOnline } from '#pwa/lib/use-online.ts';

const BACK_ONLINE_MS = 3000;

/** Says that there is no network and, for three seconds, that it is back. */
export function OfflineBar() {
  const isOnline = useOnline();
  const [wasOffline, setWasOffline] = useState(false);
  useEffect(() => {
    if (!isOnline) {
      setWasOffline(true);
      return;
    }
    const timer = setTimeout(() => setWasOffline(false), BACK_ONLINE_MS);
    return () => clearTimeout(timer);
  }, [isOnline]);
  return (
    <div role="status" className="bar-slot">
      {(!isOnline || wasOffline) && (
        <div className="bar-note">
          {isOnline ? <Wifi className="ic ic-s" /> : <WifiOff className="ic ic-s" />}
          {isOnline ? 'Снова в\u00a0сети' : 'Нет сети. Показаны сохранённые данные.'}
        </div>
      )}
    </div>
  );
}
