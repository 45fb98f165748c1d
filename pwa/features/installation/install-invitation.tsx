import './installation.css';
import { useState, useSyncExternalStore } from 'react';
import { hasResult, subscribeResult } from '#pwa/lib/first-result.ts';
import { useInterruption } from '#pwa/lib/interruptions.ts';
import { usePushState } from '#pwa/lib/use-push-state.ts';
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

export interface InstallWhileWaitingProps {
  /** A generation is being made: now there is something to be told of. */
  isWaiting: boolean;
  className?: string;
}

/**
 * While a result is awaited, where only the installed app can be told of it: in the place where others are asked about
 * notifications. After the first result the invitation comes by itself, everywhere.
 */
export function InstallWhileWaiting({ isWaiting, className = '' }: InstallWhileWaitingProps) {
  const way = useInstallWay();
  const needsInstall = usePushState() === 'needs_install';
  const hasFinished = useSyncExternalStore(subscribeResult, hasResult);
  const [isPutOff, setIsPutOff] = useState(isInstallPutOff);
  const isWanted = isWaiting && needsInstall && way !== 'none' && !hasFinished && !isPutOff;
  // It covers nothing; what would come over the page waits for it.
  useInterruption('push', isWanted);
  if (!isWanted) return null;
  const putOff = () => {
    putOffInstall();
    setIsPutOff(true);
  };
  return (
    <section className={`panel p-4 ${className}`} aria-label="Установка приложения">
      <InstallCard title="Установите «Подиум» — пришлём уведомление" way={way} onDone={putOff} onPutOff={putOff} />
    </section>
  );
}
