/** Of the lower part of the page. */
export const LANDING_SECTIONS_ID = 'more';
/** Then the page is at rest, and the code of its lower part disturbs nothing any more. */
const REST_MS = 4000;
const SIGNS_OF_LIFE = ['scroll', 'pointerdown', 'pointermove', 'keydown', 'touchstart'] as const;

/**
 * Resolves at the first sign of a person, or when the page has been at rest for a while; at once where the page has not
 * come prerendered and waits for its content.
 */
export function waitUntilNeeded(): Promise<void> {
  if (typeof window === 'undefined' || document.getElementById(LANDING_SECTIONS_ID) === null) return Promise.resolve();
  return new Promise((resolve) => {
    const proceed = () => {
      clearTimeout(timer);
      for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, proceed);
      resolve();
    };
    const timer = setTimeout(proceed, REST_MS);
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, proceed, { passive: true, once: true });
  });
}
