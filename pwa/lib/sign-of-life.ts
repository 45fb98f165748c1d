const SIGNS = ['scroll', 'pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin'] as const;

let sign: Promise<void> | null = null;

/**
 * Resolves when a person first does something on the page. Public pages come prerendered: what only somebody who is
 * really there can use is loaded then, and takes nothing from the first picture.
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
