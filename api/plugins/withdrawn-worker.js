// Served at /sw.js in the place of the interface's worker once an operator has withdrawn it (README): browsers that
// still have the old one get this, which removes every copy it kept and then itself.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));

async function leave() {
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.registration.unregister();
  // Pages that the old worker has answered load anew from the server, once: a browser that kept nothing is let alone.
  if (names.length === 0) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const window of windows) await window.navigate(window.url).catch(() => undefined);
}
