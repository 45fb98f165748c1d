import { lazy, Suspense } from 'react';
import './landing-page/landing.css';
import { waitForFirstInteraction } from '#pwa/device/first-interaction.ts';
import { Hero } from './landing-page/hero.tsx';

export const LANDING_SECTIONS_ID = 'more';

const LandingSections = lazy(async () => {
  // A prerendered page already shows the sections, so their code is loaded at the first interaction.
  if (typeof document !== 'undefined' && document.getElementById(LANDING_SECTIONS_ID)) await waitForFirstInteraction();
  return { default: (await import('./landing-page/landing-sections.tsx')).LandingSections };
});

/** The landing page. */
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
