import { isIos } from '#pwa/device/is-ios.ts';
import { isStandalone } from '#pwa/device/is-standalone.ts';
import { useInstallPrompt } from './install-prompt.ts';

const PUT_OFF_KEY = 'podium.installPutOffAt';
const QUIET_MS = 30 * 24 * 3600_000;

/** button: the browser installs at a press. ios: only the person can, by a menu. none: installed or not possible. */
export type InstallWay = 'button' | 'ios' | 'none';

/** How the app can be installed on this device now. */
export function useInstallWay(): InstallWay {
  const hasPrompt = useInstallPrompt();
  return chooseInstallWay({
    isStandalone: isStandalone(),
    hasPrompt,
    userAgent: navigator.userAgent,
    maxTouchPoints: navigator.maxTouchPoints,
  });
}

/** On iOS only Safari can install. Other browsers there are recognised by their names in the user agent. */
export function chooseInstallWay({
  isStandalone,
  hasPrompt,
  userAgent,
  maxTouchPoints,
}: {
  isStandalone: boolean;
  hasPrompt: boolean;
  userAgent: string;
  maxTouchPoints: number;
}): InstallWay {
  if (isStandalone) return 'none';
  if (hasPrompt) return 'button';
  const isSafari = isIos({ userAgent, maxTouchPoints }) && !/CriOS|FxiOS|EdgiOS|YaBrowser|OPT\//.test(userAgent);
  return isSafari ? 'ios' : 'none';
}

/** For «Не сейчас»: the offer is quiet for thirty days. */
export function putOffInstall(now = Date.now()): void {
  localStorage.setItem(PUT_OFF_KEY, String(now));
}

export function isInstallPutOff(now = Date.now()): boolean {
  return now - Number(localStorage.getItem(PUT_OFF_KEY) ?? 0) < QUIET_MS;
}
