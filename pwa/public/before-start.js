// Runs before the first paint. It is a file of its own, because the security policy forbids inline scripts.
(() => {
  // A prerendered page can be read before its code runs, so the code is loaded after the first paint.
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
  // Background tabs never paint.
  setTimeout(goOn, 3000);
  // Until then nothing listens: a pressed button is kept for app/early-input.ts, and forms are not submitted.
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

  // Zod tries `new Function` to compile its parsers. The policy refuses that, and the console would show it.
  globalThis.__zod_globalConfig = { jitless: true };

  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be forbidden.
      return null;
    }
  };
  // The same rule as pwa/device/theme.ts.
  const theme = read('podium.theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]').setAttribute('content', dark ? '#1c1b1e' : '#ffffff');

  // The signs of a session from pwa/features/session/session-marker.ts and shared/rules/session.ts. Pages are prerendered
  // for visitors: signed-in people are redirected to the app, and on other pages the parts for visitors are hidden.
  const isSignedIn = read('podium.session') !== null || /(^|; )podium_signed_in=/.test(document.cookie);
  const isLeaving = read('podium.logoutPending') !== null || /(^|; )podium_leaving=/.test(document.cookie);
  if (!isSignedIn || isLeaving) return;
  if (location.pathname === '/') location.replace('/app');
  document.documentElement.dataset.signedIn = '';
})();
