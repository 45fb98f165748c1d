// Runs before the first paint, from a file of its own because the security policy allows no inline script.
(() => {
  // Pages that come prerendered can be read before they can be used: their code is loaded after the first paint.
  const { start } = document.currentScript.dataset;
  let isPainted = false;
  const goOn = () => {
    if (isPainted) return;
    isPainted = true;
    document.documentElement.dataset.painted = '';
    if (start) import(start);
  };
  const afterLetters = () => document.fonts.ready.then(() => setTimeout(goOn));
  new PerformanceObserver(afterLetters).observe({ type: 'paint', buffered: true });
  // A tab in the background paints nothing.
  setTimeout(goOn, 3000);
  // Until then nobody listens: a pressed button is kept for app/early-input.ts, and no form is sent by the browser.
  if (start) {
    const early = { button: null, stop: () => removeEventListener('click', keep, true) };
    const keep = (event) => {
      const button = event.target.closest?.('button');
      if (!button) return;
      event.preventDefault();
      early.button = button;
    };
    addEventListener('click', keep, true);
    globalThis.podiumEarlyInput = early;
  }

  // Zod tries `new Function` to compile its parsers; the policy refuses that and the console would say so.
  globalThis.__zod_globalConfig = { jitless: true };

  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be forbidden: the device's preference is enough, and nobody is signed in.
      return null;
    }
  };
  // The same rule as lib/theme.ts.
  const theme = read('podium.theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]').setAttribute('content', dark ? '#1c1b1e' : '#ffffff');

  // What lib/session-marker.ts stores, or the cookies of shared/rules/signed-in-cookie.ts where that was dropped. Pages come
  // prerendered for visitors: whoever is signed in goes on to the app at once, and elsewhere does not see for a moment what
  // is meant for visitors.
  const isSignedIn = read('podium.session') !== null || /(^|; )podium_signed_in=/.test(document.cookie);
  const isLeaving = read('podium.logoutPending') !== null || /(^|; )podium_leaving=/.test(document.cookie);
  if (!isSignedIn || isLeaving) return;
  if (location.pathname === '/') location.replace('/app');
  document.documentElement.dataset.signedIn = '';
})();
