/**
 * Chromium's event that offers to install the app. It is kept until the person presses our button. TypeScript has no
 * type for it.
 */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let kept: InstallPromptEvent | null = null;
const listeners = new Set<() => void>();

/** Captures the browser's install prompt. Call once at the start: the browser fires the event early and only once. */
export function captureInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // The browser's own prompt stays hidden: our card asks when there is a reason to.
    event.preventDefault();
    keep(event as InstallPromptEvent);
  });
  addEventListener('appinstalled', () => keep(null));
}

/** Whether the browser would install the app now. */
export function canInstall(): boolean {
  return kept !== null;
}

export function subscribeInstallPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Shows the browser's prompt and returns whether the person accepted. Call it inside a click. Each prompt works only
 * once.
 */
export async function askToInstall(): Promise<boolean> {
  const prompt = kept;
  keep(null);
  return (await prompt?.prompt())?.outcome === 'accepted';
}

function keep(event: InstallPromptEvent | null): void {
  kept = event;
  for (const listener of listeners) listener();
}
