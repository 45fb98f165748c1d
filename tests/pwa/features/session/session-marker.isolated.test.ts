import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEAVING_COOKIE, SIGNED_IN_COOKIE } from '#shared/rules/session.ts';
import { type FakePage, openFakePage } from '#tests/support/fake-page.ts';

const KEY = 'podium.session';
const MARKER = { userId: 1000, name: 'Анна' };
let page: FakePage;
beforeEach(() => {
  page = openFakePage();
});
afterEach(() => vi.unstubAllGlobals());

/** A page that was just opened, with nothing in memory. */
async function openPage() {
  vi.resetModules();
  return import('#pwa/features/session/session-marker.ts');
}

test('a device without marker and cookie knows nothing about a session', async () => {
  const session = await openPage();
  expect(session.readSessionTrace()).toBe('unknown');
  expect(session.isSessionLikely(session.readSessionTrace())).toBe(false);
});

test('the marker names the person, with or without the cookie', async () => {
  page.stored.set(KEY, JSON.stringify(MARKER));
  expect((await openPage()).readSessionTrace()).toEqual(MARKER);
  page.cookies.set(SIGNED_IN_COOKIE, '1');
  expect((await openPage()).readSessionTrace()).toEqual(MARKER);
});

test('the cookie alone, and a marker that cannot be read, stand for somebody', async () => {
  page.cookies.set('other', '1').set(SIGNED_IN_COOKIE, '1');
  expect((await openPage()).readSessionTrace()).toBe('somebody');
  page.cookies.clear();
  page.stored.set(KEY, '{"userId":');
  expect((await openPage()).readSessionTrace()).toBe('somebody');
});

test('after a sign-out nobody is there, and the cookie is gone', async () => {
  page.stored.set(KEY, JSON.stringify(MARKER));
  page.cookies.set(SIGNED_IN_COOKIE, '1');
  const session = await openPage();
  expect(session.removeSessionMarker()).toEqual(MARKER);
  expect(session.readSessionTrace()).toBe('nobody');
  expect([page.stored.has(KEY), page.cookies.has(SIGNED_IN_COOKIE)]).toEqual([false, false]);
  expect((await openPage()).readSessionTrace()).toBe('unknown');
});

test('an unconfirmed sign-out holds in every page, whatever the browser still stores', async () => {
  page.stored.set(KEY, JSON.stringify(MARKER));
  page.cookies.set(SIGNED_IN_COOKIE, '1');
  const session = await openPage();
  session.beginLogout();
  // The page that waits for the answer stays as it is.
  expect(session.readSessionTrace()).toEqual(MARKER);
  const next = await openPage();
  expect([next.readSessionTrace(), next.readSessionMarker(), next.isLogoutPending()]).toEqual(['nobody', null, true]);
  next.endLogout();
  next.writeSessionMarker(MARKER);
  expect(next.readSessionTrace()).toEqual(MARKER);
});

test('an unconfirmed sign-out survives what the browser drops and what the server says about the session', async () => {
  page.stored.set(KEY, JSON.stringify(MARKER));
  page.cookies.set(SIGNED_IN_COOKIE, '1');
  const session = await openPage();
  session.beginLogout();
  session.removeSessionMarker();
  page.stored.clear();
  // An answer in flight has extended the session.
  page.cookies.set(SIGNED_IN_COOKIE, '1');
  const next = await openPage();
  expect([next.readSessionTrace(), next.isLogoutPending()]).toEqual(['nobody', true]);
  next.endLogout();
  expect(page.cookies.has(LEAVING_COOKIE)).toBe(false);
  expect((await openPage()).isLogoutPending()).toBe(false);
});

test('the cookie of a sign-out lives as long as the session may, and without storage too', async () => {
  vi.stubGlobal('localStorage', {
    ...localStorage,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  });
  const written = vi.spyOn(document, 'cookie', 'set');
  (await openPage()).beginLogout();
  expect(written.mock.calls).toEqual([[`${LEAVING_COOKIE}=1; Path=/; Max-Age=2592000; SameSite=Lax; Secure`]]);
  expect((await openPage()).isLogoutPending()).toBe(true);
});

test('a sign-in in another tab is heard, also where nobody was known to be', async () => {
  const session = await openPage();
  session.noteNobody();
  const received = vi.fn();
  session.subscribeSessionMarker(received);
  page.changeElsewhere(KEY, JSON.stringify(MARKER));
  expect(received).toHaveBeenCalledOnce();
  expect(session.readSessionTrace()).toEqual(MARKER);
});
