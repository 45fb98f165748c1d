import { nb } from '#pwa/lib/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** Where more is said about cookies; beside the question, so it opens in a window of its own. */
export function CookiePolicy() {
  return (
    <>
      {nb('Подробнее в ')}
      <a className="link text-ink" href={PATHS.privacyPolicy} target="_blank" rel="noopener">
        {nb('политике конфиденциальности')}
      </a>
      .
    </>
  );
}
