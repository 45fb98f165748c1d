import { MailOpen } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { ButtonLink } from '#pwa/components/button.tsx';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { openBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { readWayBack } from '#pwa/features/generations/way-back.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { useOffered } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { fromSource, hasBuyStarsQuery, withoutBuyStarsQuery } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { greet } from './app-page/greeting.ts';
import { RecentResults, useRecentItems } from './app-page/recent-results.tsx';
import { ResumeStrips } from './app-page/resume-strips.tsx';
import { ToolCards, ToolObstacles } from './app-page/tool-cards.tsx';

/** It waits for two answers anyway, and only newcomers see it. */
const SampleOffer = lazy(() => import('./app-page/sample-offer.tsx'));

/** The home of signed-in people: running generations, the newest results once there are some, the tools. */
export default function AppPage() {
  useBuyStarsOnRequest();
  const session = useSession();
  const user = session.status === 'signed_in' ? session.user : null;
  const isVideoOffered = useOffered().includes('video');
  const { items } = useRecentItems();
  const hasResults = items !== null && items.length > 0;
  const name = user?.firstName || (session.status === 'signed_in' && session.name) || 'Гость';
  return (
    <>
      <div className="flex items-end justify-between gap-4 mb-6">
        <h1 className="ptitle min-w-0 break-words">
          {greet(new Date().getHours())}, {name}
        </h1>
        <Link className="back max-md:hidden flex-none" to={PATHS.photoGuidelines}>
          {nb('Требования к фото')}
        </Link>
      </div>
      {user?.isEmailVerified === false && <VerifyStrip />}
      <ResumeStrips />
      <Suspense>{user && isVideoOffered && <SampleOffer key={user.id} user={user} />}</Suspense>
      <ToolObstacles />
      <div className="grid grid-cols-1 gap-8 md:gap-10">
        {hasResults && <RecentResults />}
        <div>
          <ToolCards />
          <p className="text-sm text-muted mt-4">
            {nb('Много товаров? ')}
            <Link className="link" to={PATHS.batches} state={fromSource('home')}>
              {nb('Сделайте все фото одной партией')}
            </Link>
          </p>
        </div>
        {!hasResults && <RecentResults />}
      </div>
    </>
  );
}

function VerifyStrip() {
  return (
    <section className="panel mb-8 p-4 flex flex-wrap items-center gap-x-5 gap-y-3">
      <MailOpen className="ic" />
      <div className="flex-1 basis-56">
        <div className="font-semibold">Подтвердите email</div>
        <p className="text-sm text-muted">
          {nb('После этого придут 2 звезды в подарок и можно будет создавать видео.')}
        </p>
      </div>
      <ButtonLink to={PATHS.verifyEmail} variant="second" size="sm" className="max-md:w-full">
        Ввести код
      </ButtonLink>
    </section>
  );
}

/** Opens the buy-stars dialog when the address asks for it, and removes the request from the address. */
function useBuyStarsOnRequest(): void {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!hasBuyStarsQuery(search)) return;
    openBuyStars({ source: 'link', wayBack: readWayBack(state) });
    void navigate({ search: withoutBuyStarsQuery(search) }, { replace: true, state: KEEP_SCROLL });
  }, [search, state, navigate]);
}
