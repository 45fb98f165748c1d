// Runs before the first paint, from a file of its own because the security policy allows no inline script.
// The same rule as lib/theme.ts.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('podium.theme');
  } catch {
    // Storage may be forbidden; the device's preference is enough.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]').setAttribute('content', dark ? '#1c1b1e' : '#ffffff');
})();
