import './installation.css';
import { useLocation } from 'react-router-dom';
import { pushState } from '#pwa/client/push.ts';
import { useInterruption } from '#pwa/components/interruptions.ts';
import { useStore } from '#pwa/device/store.ts';
import { usePutOff } from '#pwa/device/use-put-off.ts';
import { useHasResult } from '#pwa/features/generations/first-result.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { InstallCard } from './install-card.tsx';
import { useInstallWay } from './installation.ts';

const PUT_OFF_KEY = 'podium.installPutOffAt';

/** Pages with an action at the bottom of the window, which the card would cover. */
const WITH_ACTIONS: readonly string[] = [PATHS.gallery, ...Object.values(TOOLS).map(({ page }) => page)];

/** Offers to install the app after the first finished result. After «Не сейчас» it is quiet for thirty days. */
export function InstallInvitation() {
  const way = useInstallWay();
  const hasFinished = useHasResult();
  const [isPutOff, putOff] = usePutOff(PUT_OFF_KEY);
  const isOverTool = WITH_ACTIONS.includes(useLocation().pathname);
  const isShown = useInterruption('install', way !== 'none' && hasFinished && !isPutOff && !isOverTool);
  if (!isShown || way === 'none') return null;
  return (
    <section className="install panel p-4 md:p-5" aria-label="Установка приложения">
      <InstallCard way={way} onDone={putOff} onPutOff={putOff} />
    </section>
  );
}

export interface InstallWhileWaitingProps {
  /** A generation is in progress, so a notification would be useful. */
  isWaiting: boolean;
  className?: string;
}

/**
 * The offer to install during a generation, on systems where only the installed app gets notifications. It takes the
 * place of the question about notifications. After the first result InstallInvitation appears on its own.
 */
export function InstallWhileWaiting({ isWaiting, className = '' }: InstallWhileWaitingProps) {
  const way = useInstallWay();
  const needsInstall = useStore(pushState) === 'needs_install';
  const hasFinished = useHasResult();
  const [isPutOff, putOff] = usePutOff(PUT_OFF_KEY);
  const isWanted = isWaiting && needsInstall && way !== 'none' && !hasFinished && !isPutOff;
  // It covers nothing itself, but panels that cover the page wait for it.
  useInterruption('push', isWanted);
  if (!isWanted) return null;
  return (
    <section className={`panel p-4 ${className}`} aria-label="Установка приложения">
      <InstallCard title="Установите «Подиум» — пришлём уведомление" way={way} onDone={putOff} onPutOff={putOff} />
    </section>
  );
}
