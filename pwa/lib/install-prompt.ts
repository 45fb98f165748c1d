/** Chromium's own question whether to install, kept until the person presses our button. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let kept: InstallPromptEvent | null = null;
const listeners = new Set<() => void>();

/** Call once at the start: the browser asks early, and only once. */
export function keepInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // Never by itself and never on a first visit: our own card asks when there is a reason.
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

/** Asks for the installation, inside a click. Each question can be asked only once. */
export async function askToInstall(): Promise<boolean> {
  const prompt = kept;
  keep(null);
  return (await prompt?.prompt())?.outcome === 'accepted';
}

function keep(event: InstallPromptEvent | null): void {
  kept = event;
  for (const listener of listeners) listener();
}
