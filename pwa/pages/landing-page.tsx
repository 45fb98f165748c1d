import { lazy, Suspense } from 'react';
import './landing-page/landing.css';
import { Hero } from './landing-page/hero.tsx';
import { waitUntilNeeded } from './landing-page/wait-until-needed.ts';

// Prerendered pages show them already; their code comes when somebody begins to read.
const LandingSections = lazy(async () => {
  await waitUntilNeeded();
  return { default: (await import('./landing-page/landing-sections.tsx')).LandingSections };
});

/** The first thing a visitor sees. */
export default function LandingPage() {
  return (
    <>
      <Hero />
      <Suspense>
        <LandingSections />
      </Suspense>
    </>
  );
}
