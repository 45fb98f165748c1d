import { isIos } from '#pwa/device/is-ios.ts';
import { isStandalone } from '#pwa/device/is-standalone.ts';
import { useInstallPrompt } from './install-prompt.ts';

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
