// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { createElement } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useStepHistory } from '#pwa/features/model-changes/use-step-history.ts';
import { WIZARD_WAYS, type WizardStep } from '#pwa/features/model-changes/wizard.ts';

/** What the wizard shows; the test plays the wizard. */
let shown: { step: WizardStep; isReady: boolean; isShownByItself?: boolean };
let rerender: () => void;

function Wizard() {
  const openStep = (step: WizardStep) => {
    shown = { ...shown, step };
  };
  useStepHistory(WIZARD_WAYS.model_change, shown.step, openStep, shown.isReady, shown.isShownByItself ?? false);
  return null;
}

/** Opens a page whose history has these steps, as a reload finds them; the last one is the page's. */
function openAfter(steps: WizardStep[]) {
  const entries = steps.map((step, place) => ({
    pathname: '/',
    state: { wizard: { step, below: steps.slice(0, place) } },
  }));
  const router = createMemoryRouter([{ path: '/', element: createElement(Wizard) }], { initialEntries: entries });
  const draw = () => createElement(RouterProvider, { router });
  const page = render(draw());
  rerender = () => page.rerender(draw());
  return router;
}

async function change(part: Partial<typeof shown>, router: ReturnType<typeof openAfter>) {
  shown = { ...shown, ...part };
  await act(() => router.revalidate());
  rerender();
}

afterEach(cleanup);

const stepOf = (router: ReturnType<typeof openAfter>) => router.state.location.state.wizard.step;

test('Back pressed before the wizard has read its record leads to the step before', async () => {
  shown = { step: 'photo', isReady: false };
  const router = openAfter(['photo', 'background', 'generation']);
  await act(() => router.navigate(-1));
  await change({ step: 'generation', isReady: true }, router);
  expect(shown.step).toBe('background');
  expect(stepOf(router)).toBe('background');
});

test('a step that is reached past complete ones leads back to where the person was', async () => {
  shown = { step: 'photo', isReady: true };
  const router = openAfter(['photo']);
  await change({ step: 'generation' }, router);
  expect(stepOf(router)).toBe('generation');
  await act(() => router.navigate(-1));
  rerender();
  expect([shown.step, stepOf(router)]).toEqual(['photo', 'photo']);
});

test('a generation that shows itself takes the place of the step', async () => {
  shown = { step: 'photo', isReady: true };
  const router = openAfter(['photo']);
  await change({ step: 'generation', isShownByItself: true }, router);
  await act(() => router.navigate(-1));
  expect(stepOf(router)).toBe('generation');
});
