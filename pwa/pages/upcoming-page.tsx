import art from '#pwa/assets/art/empty-runway.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { nb } from '#pwa/lib/format.ts';
import { useRouteTitle } from '#pwa/lib/use-route-title.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** Stands where a page is still being made; its heading is the title of the route. */
export default function UpcomingPage() {
  const title = useRouteTitle();
  return (
    <div className="max-w-[960px] mx-auto px-5 py-8 md:py-12 grid md:grid-cols-[1fr_280px] gap-8 items-center">
      <div>
        <h1 className="ptitle">{title}</h1>
        <p className="text-lg mt-4">Раздел готовится</p>
        <p className="text-muted mt-1 max-w-[44ch]">
          {nb('Подиум уже собран, но показ ещё не начался. Вернитесь сюда позже.')}
        </p>
        <ButtonLink to={PATHS.landing} className="mt-6 max-md:w-full">
          На главную
        </ButtonLink>
      </div>
      <img src={art} alt="" className="ph max-md:max-h-[320px]" />
    </div>
  );
}
