// @vitest-environment happy-dom
import { createElement, type FunctionComponent, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lazyPart } from '#pwa/lib/lazy-part.ts';
import { until } from '#tests/support/until.ts';

test('where the code of a part cannot be loaded, the rest of the page stays and the console says why', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const place = document.createElement('div');
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    warn.mockRestore();
  });
  const reason = new TypeError('Failed to fetch dynamically imported module');
  const Part: FunctionComponent = () => 'part';
  const Missing = lazyPart((): Promise<{ default: typeof Part }> => Promise.reject(reason));
  const There = lazyPart(async () => ({ default: Part }));
  const wait = (part: typeof There) => createElement(Suspense, { fallback: 'waiting' }, createElement(part));
  root.render(createElement('main', null, 'page ', wait(Missing), wait(There)));
  await until(() => expect(place.textContent).toBe('page part'));
  expect(warn).toHaveBeenCalledWith(expect.any(String), reason);
});
