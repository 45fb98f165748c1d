import { useEffect } from 'react';
import { Button, buttonClass } from '#pwa/components/button.tsx';
import { ErrorView } from '#pwa/components/error-view.tsx';
import { trackError } from '#pwa/features/consent/error-reporting.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** Replaces a page whose rendering or loading failed. */
export function ErrorPage({ error }: { error: unknown }) {
  useEffect(() => {
    console.error(error);
    trackError('page_error', error instanceof Error ? error.message : String(error));
  }, [error]);
  return (
    <ErrorView
      title="Страница не открылась"
      text="Что-то сломалось на нашей стороне. Обновите страницу; если не поможет, вернитесь на главную. Ваши генерации и звёзды не пострадали."
      action={
        <>
          <Button onClick={() => location.reload()}>Обновить страницу</Button>
          {/* A full load, so that the state of the broken page does not survive. */}
          <a className={buttonClass({ variant: 'second' })} href={PATHS.landing}>
            На главную
          </a>
        </>
      }
    />
  );
}
