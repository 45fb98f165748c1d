// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createElement, useLayoutEffect } from 'react';
import { BrowserRouter, Link, Outlet, type RouteObject } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoadFailure } from '#pwa/app/load-failure.tsx';
import { Pages } from '#pwa/app/pages.tsx';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { openPath } from '#pwa/device/open-path.ts';
import { until } from '#tests/support/until.ts';

const text = (words: string) => createElement('p', null, words);

function Layout() {
  return createElement('main', null, createElement(Outlet));
}

type Element = ReturnType<typeof text>;
/** Of the page that was asked for last by its path. */
let answers: Record<string, (element: Promise<Element>) => void>;
let asked: number;

/** A page whose code comes when the test says so. */
function latePage(path: string): RouteObject {
  const lazy = async () => {
    asked += 1;
    const element = await new Promise<Element>((resolve) => {
      answers[path] = resolve;
    });
    return { element };
  };
  return { path, element: createElement(LoadFailure), lazy };
}

function createRoutes(): RouteObject[] {
  const first = createElement(Link, { to: '?part=2', state: KEEP_SCROLL }, 'first page');
  return [{ Component: Layout, children: [{ path: '/first', element: first }, latePage('/next'), latePage('/other')] }];
}

const draw = (routes: RouteObject[]) => render(createElement(BrowserRouter, null, createElement(Pages, { routes })));
const open = (path: string) => act(async () => openPath(path));
const answer = (path: string, element: Promise<Element>) => act(async () => answers[path]?.(element));
const shown = () => document.body.textContent;

beforeEach(() => {
  answers = {};
  asked = 0;
  history.replaceState(null, '', '/first');
  scrollTo(0, 0);
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test('a page stays, under a running stitch, until the code of the next one has come', async () => {
  draw(createRoutes());
  await open('/next');
  expect(shown()).toBe('first page');
  expect(document.querySelector('.stitch')).not.toBeNull();
  await answer('/next', Promise.resolve(text('next page')));
  expect(shown()).toBe('next page');
  expect(document.querySelector('.stitch')).toBeNull();
});

test('a page that was left before its code came is not shown when it comes', async () => {
  draw(createRoutes());
  await open('/next');
  await open('/other');
  await answer('/next', Promise.resolve(text('next page')));
  expect(shown()).toBe('first page');
  await answer('/other', Promise.resolve(text('other page')));
  expect(shown()).toBe('other page');
});

test('a page whose code does not come is an error page in its layout, and is tried again on the next visit', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  draw(createRoutes());
  await open('/next');
  await answer('/next', Promise.reject(new TypeError('Failed to fetch')));
  expect(document.querySelector('main')?.textContent).toContain('Страница не открылась');
  await open('/first');
  expect(shown()).toBe('first page');
  await open('/next');
  await answer('/next', Promise.resolve(text('next page')));
  expect([shown(), asked]).toEqual(['next page', 2]);
});

test('a new page begins at its top, and Back leads to where the page was left', async () => {
  const routes = createRoutes();
  draw(routes);
  scrollTo(0, 700);
  act(() => void window.dispatchEvent(new Event('scroll')));
  await open('/next');
  await answer('/next', Promise.resolve(text('next page')));
  expect(scrollY).toBe(0);
  await act(async () => history.back());
  await until(() => shown() === 'first page' || Promise.reject(new Error('Back leads nowhere')));
  expect(scrollY).toBe(700);
});

test('an address that changes under an open page leaves it scrolled as it is', async () => {
  draw(createRoutes());
  scrollTo(0, 700);
  await act(async () => void fireEvent.click(screen.getByText('first page')));
  expect([location.search, scrollY]).toEqual(['?part=2', 700]);
});

test('a page whose code comes between its first drawing and the effects of it is shown too', async () => {
  history.replaceState(null, '', '/next');
  const late = latePage('/next');
  function ComesNow() {
    useLayoutEffect(() => void Object.assign(late, { element: text('next page'), lazy: undefined }));
    return null;
  }
  render(createElement(BrowserRouter, null, createElement(Pages, { routes: [late] }), createElement(ComesNow)));
  await until(() => expect(shown()).toBe('next page'));
});
