import { lazy, Suspense } from 'react';
import './landing-page/landing.css';
import { waitForSignOfLife } from '#pwa/lib/sign-of-life.ts';
import { Hero } from './landing-page/hero.tsx';

export const LANDING_SECTIONS_ID = 'more';

const LandingSections = lazy(async () => {
  // A prerendered page shows them already: their code comes when somebody begins to read.
  if (typeof document !== 'undefined' && document.getElementById(LANDING_SECTIONS_ID)) await waitForSignOfLife();
  return { default: (await import('./landing-page/landing-sections.tsx')).LandingSections };
});

/** The first thing a visitor sees. */
export default function LandingPage() {
  return (
    <>
      <Hero />
      <div id={LANDING_SECTIONS_ID} className="landing-sections">
        <Suspense>
          <LandingSections />
        </Suspense>
      </div>
    </>
  );
}
