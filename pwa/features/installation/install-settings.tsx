import { isStandalone } from '#pwa/lib/is-standalone.ts';
import { InstallCard } from './install-card.tsx';
import { useInstallWay } from './installation.ts';

/** In the settings: how to install the app here; nothing where that cannot be done. */
export function InstallSettings() {
  const way = useInstallWay();
  if (way === 'none') {
    return isStandalone() ? (
      <section className="panel p-4 md:p-5 text-sm text-muted">Приложение установлено.</section>
    ) : null;
  }
  return (
    <section className="panel p-4 md:p-5" aria-label="Установка приложения">
      <InstallCard way={way} onDone={() => undefined} />
    </section>
  );
}
