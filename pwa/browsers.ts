/**
 * The oldest versions in which everything must run: the build's target, and the measure of `tests/check-browsers.ts`.
 * Names as in Vite's `build.target`. Looks are made for Chrome 111 and Firefox 128 and may be plainer before them.
 */
export const OLDEST_BROWSERS = { chrome: '109', firefox: '115', safari: '16.4', ios: '16.4' } as const;
