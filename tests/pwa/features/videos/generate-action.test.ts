import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { GenerateAction } from '#pwa/features/videos/generate-action.tsx';

function render(readiness: StartReadiness): string {
  const props = {
    readiness,
    balance: 2,
    isBusy: false,
    isQueueing: false,
    isQueued: false,
    line: { waiting: 0, running: 0, stars: 0, isPaused: false, path: '/dashboard/batches' },
    isAgain: false,
    isResultShown: false,
    onGenerate: () => undefined,
  };
  return renderToStaticMarkup(createElement(MemoryRouter, null, createElement(GenerateAction, props)));
}

it('the action lies over the settings of a phone only once there is something to press', () => {
  const missing = render({ state: 'photo_missing', price: 1, reason: 'Сначала загрузите фото' });
  expect(missing).toContain('start-action is-idle');
  expect(missing).toContain('Сначала загрузите фото');
  expect(render({ state: 'ready', price: 1, remaining: 1 })).not.toContain('is-idle');
});
