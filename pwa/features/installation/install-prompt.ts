import { createStore, useStore } from '#pwa/device/store.ts';

/**
 * Chromium's event that offers to install the app. It is kept until the person presses our button. TypeScript has no
 * type for it.
 */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

const kept = createStore<InstallPromptEvent | null>(null);

/** Captures the browser's install prompt. Call once at the start: the browser fires the event early and only once. */
export function captureInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // The browser's own prompt stays hidden: our card asks when there is a reason to.
    event.preventDefault();
    kept.set(event as InstallPromptEvent);
  });
  addEventListener('appinstalled', () => kept.set(null));
}

/** Whether the browser would install the app now. */
export function useInstallPrompt(): boolean {
  return useStore(kept) !== null;
}

/**
 * Shows the browser's prompt and returns whether the person accepted. Call it inside a click. Each prompt works only
 * once.
 */
export async function askToInstall(): Promise<boolean> {
  const prompt = kept.get();
  kept.set(null);
  return (await prompt?.prompt())?.outcome === 'accepted';
}
