import './installation.css';
import { useState, useSyncExternalStore } from 'react';
import { hasResult, subscribeResult } from '#pwa/lib/first-result.ts';
import { useInterruption } from '#pwa/lib/interruptions.ts';
import { InstallCard } from './install-card.tsx';
import { isInstallPutOff, putOffInstall, useInstallWay } from './installation.ts';

/** Offers to install the app: after the first finished result, and not again for thirty days after «Не сейчас». */
export function InstallInvitation() {
  const way = useInstallWay();
  const hasFinished = useSyncExternalStore(subscribeResult, hasResult);
  const [isPutOff, setIsPutOff] = useState(isInstallPutOff);
  const isShown = useInterruption('install', way !== 'none' && hasFinished && !isPutOff);
  if (!isShown || way === 'none') return null;
  const putOff = () => {
    putOffInstall();
    setIsPutOff(true);
  };
  return (
    <section className="install panel p-4 md:p-5" aria-label="Установка приложения">
      <InstallCard way={way} onDone={putOff} onPutOff={putOff} />
    </section>
  );
}
