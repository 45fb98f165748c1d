const SIGNS = ['scroll', 'pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin'] as const;

let sign: Promise<void> | null = null;

/**
 * Resolves at the person's first interaction with the page. Public pages are prerendered, so code that only a present
 * person needs is loaded then and does not delay the first paint.
 */
export function waitForSignOfLife(): Promise<void> {
  sign ??= new Promise((resolve) => {
    const proceed = () => {
      for (const name of SIGNS) removeEventListener(name, proceed);
      resolve();
    };
    for (const name of SIGNS) addEventListener(name, proceed, { passive: true });
  });
  return sign;
}
