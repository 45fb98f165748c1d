import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackLayers } from '#pwa/components/back-layers.ts';

/** A fake browser history and router, with the parts that layers use. */
function openBrowser() {
  let entries = [
    { state: { idx: 0, key: 'a' } as object | null, href: '/app' },
    { state: { idx: 1, key: 'b' } as object | null, href: '/dashboard/gallery' },
  ];
  let at = 1;
  const routerPaths: string[] = [];
  const here = () => entries[at] ?? { state: null, href: '' };
  const history = {
    get state() {
      return here().state;
    },
    pushState(state: object | null, _title: string, href: string) {
      entries = [...entries.slice(0, at + 1), { state, href }];
      at++;
    },
    replaceState(state: object | null, _title: string, href: string) {
      entries[at] = { state, href };
    },
    back: () => go(-1),
  };
  const layers = createBackLayers(history as never, () => here().href);
  function go(step: number) {
    if (!entries[at + step]) return;
    at += step;
    if (layers.handlePop()) return;
    routerPaths.push(here().href);
    layers.noteMove();
  }
  return {
    layers,
    go,
    routerPaths,
    href: () => here().href,
    /** The router follows a link. */
    follow(href: string) {
      history.pushState({ idx: ((here().state as { idx: number }).idx ?? 0) + 1, key: href }, '', href);
      layers.noteMove();
    },
    replace(href: string) {
      history.replaceState({ idx: (here().state as { idx: number }).idx, key: href }, '', href);
      layers.noteMove();
    },
    /** Opens a layer that closes when asked to. */
    open(name = 'layer') {
      const leave = layers.open(() => {
        closed.push(name);
        leave();
      });
      return leave;
    },
    closed,
  };
}

let closed: string[];
beforeEach(() => {
  closed = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('Back', () => {
  it('closes what lies over the page, leaves the page only the next time, and tells the router nothing before', () => {
    const browser = openBrowser();
    browser.open();
    browser.go(-1);
    vi.runAllTimers();
    expect([closed, browser.href(), browser.routerPaths]).toEqual([['layer'], '/dashboard/gallery', []]);
    browser.go(-1);
    expect(browser.routerPaths).toEqual(['/app']);
  });

  it('closes the topmost first', () => {
    const browser = openBrowser();
    browser.open('viewer');
    browser.open('dialog');
    browser.go(-1);
    vi.runAllTimers();
    expect(closed).toEqual(['dialog']);
    browser.go(-1);
    expect(closed).toEqual(['dialog', 'viewer']);
    expect(browser.routerPaths).toEqual([]);
  });

  it('skips a layer that was closed in another way', () => {
    const browser = openBrowser();
    const leaveViewer = browser.open('viewer');
    browser.open('dialog')();
    browser.go(-1);
    expect([closed, browser.routerPaths]).toEqual([['viewer'], []]);
    browser.open('again')();
    leaveViewer();
    browser.go(-1);
    expect([closed, browser.routerPaths]).toEqual([['viewer'], ['/app']]);
  });

  it('returns from a page opened by a link in a layer without an empty step', () => {
    const browser = openBrowser();
    browser.open('drawer')();
    browser.follow('/payment');
    browser.go(-1);
    expect(browser.routerPaths).toEqual(['/dashboard/gallery']);
    browser.go(-1);
    expect(browser.routerPaths).toEqual(['/dashboard/gallery', '/app']);
    expect(closed).toEqual([]);
  });

  it('keeps the address that the page has got under its layer', () => {
    const browser = openBrowser();
    browser.follow('/app?openBuyStars=true');
    browser.open();
    browser.replace('/app');
    browser.go(-1);
    expect([closed, browser.href(), browser.routerPaths]).toEqual([['layer'], '/app', []]);
  });

  it('does not leave the page under a layer that stays open', () => {
    const browser = openBrowser();
    const tries: string[] = [];
    browser.layers.open(() => tries.push('busy'));
    for (let time = 0; time < 3; time++) {
      browser.go(-1);
      vi.runAllTimers();
    }
    expect([tries, browser.routerPaths]).toEqual([['busy', 'busy', 'busy'], []]);
  });

  it('is left to the router when no layer is open', () => {
    const browser = openBrowser();
    browser.go(-1);
    browser.go(1);
    expect(browser.routerPaths).toEqual(['/app', '/dashboard/gallery']);
  });
});
