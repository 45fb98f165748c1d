import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** A link to the details about cookies. It opens in a new tab, because the question is still open. */
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
