import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStored, writeStored } from '#pwa/device/storage.ts';
import { cookieConsent } from '#pwa/features/consent/consent.ts';
import { loadConsent, saveConsent } from '#pwa/features/consent/consent-storage.ts';

vi.mock('#pwa/device/storage.ts', async (original) => ({
  ...(await original<object>()),
  readStored: vi.fn(),
  writeStored: vi.fn(async () => undefined),
}));

interface Inserted {
  id: string;
  src: string;
  async: boolean;
}

let inserted: Inserted[];
let layer: { dataLayer?: Record<string, unknown>[] };

/** A page whose document names this container, or none. */
function openPage(tagManagerId: string | null): void {
  inserted = [];
  layer = {};
  vi.stubGlobal('window', layer);
  vi.stubGlobal('location', { origin: 'https://podium.test', pathname: '/cases', search: '?code=1' });
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('document', {
    title: 'Кейсы',
    cookie: '',
    querySelector: (selector: string) =>
      tagManagerId && selector === 'meta[name="tag-manager"]' ? { content: tagManagerId } : null,
    getElementById: (id: string) => inserted.find((script) => script.id === id) ?? null,
    createElement: () => ({}),
    head: { append: (script: Inserted) => inserted.push(script) },
  });
}

const events = () => (layer.dataLayer ?? []).map(({ event }) => event);

beforeEach(() => cookieConsent.set(null));
afterEach(() => {
  cookieConsent.set(null);
  vi.unstubAllGlobals();
});

describe('the tag manager', () => {
  test('is fetched when cookies are accepted, and that page is the first one counted, without its query', () => {
    openPage('GTM-AB12CD3');
    saveConsent('accepted');
    expect(inserted).toMatchObject([{ src: 'https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD3', async: true }]);
    expect(events()).toEqual(['gtm.js', 'page_view']);
    expect(layer.dataLayer?.[1]).toMatchObject({ page_title: 'Кейсы', page_location: 'https://podium.test/cases' });
    expect(writeStored).toHaveBeenCalled();
  });

  test('is fetched once, and a page is counted once, even when the same choice is repeated', () => {
    openPage('GTM-AB12CD3');
    saveConsent('accepted');
    saveConsent('accepted');
    expect([inserted.length, events()]).toEqual([1, ['gtm.js', 'page_view']]);
  });

  test.each(['accepted', 'declined', null] as const)('after an earlier visit that ended with %s', async (choice) => {
    openPage('GTM-AB12CD3');
    vi.mocked(readStored).mockResolvedValueOnce(choice);
    await loadConsent();
    expect(inserted.length).toBe(choice === 'accepted' ? 1 : 0);
    expect(events()).toEqual(choice === 'accepted' ? ['gtm.js'] : []);
  });

  test('stays away when cookies are declined, and nothing is counted', () => {
    openPage('GTM-AB12CD3');
    saveConsent('declined');
    expect([inserted, layer]).toEqual([[], {}]);
  });

  test('does not exist without the setting; the data layer is filled all the same', () => {
    openPage(null);
    saveConsent('accepted');
    expect([inserted, events()]).toEqual([[], ['page_view']]);
  });
});
