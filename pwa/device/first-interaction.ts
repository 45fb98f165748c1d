const EVENTS = ['scroll', 'pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin'] as const;

let interaction: Promise<void> | null = null;

/**
 * Resolves at the person's first interaction with the page. Public pages are prerendered, so code that only a present
 * person needs is loaded then and does not delay the first paint.
 */
export function waitForFirstInteraction(): Promise<void> {
  interaction ??= new Promise((resolve) => {
    const proceed = () => {
      for (const name of EVENTS) removeEventListener(name, proceed);
      resolve();
    };
    for (const name of EVENTS) addEventListener(name, proceed, { passive: true });
  });
  return interaction;
}
