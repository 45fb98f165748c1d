import { describe, expect, test } from 'vitest';
import { resolveGuard } from '#pwa/app/route-access.ts';
import { ROUTES } from '#pwa/app/routes.ts';
import { chooseTitle, type PageTitle } from '#pwa/device/page-title.ts';
import type { Session } from '#pwa/features/session/use-session.ts';
import type { User } from '#shared/contract/account.ts';
import { APP_PATHS, APP_REDIRECTS } from '#shared/rules/app-paths.ts';
import { CHANGES } from '#shared/rules/tool-abilities.ts';
import { USER } from '#tests/pwa/support/samples.ts';

const signedIn = (over: Partial<User> = {}): Session => ({
  status: 'signed_in',
  userId: USER.id,
  name: 'anna',
  user: { ...USER, ...over },
});
const verified = signedIn();
const unverified = signedIn({ isEmailVerified: false });
const offline: Session = { status: 'signed_in', userId: USER.id, name: 'anna', user: null };
const loading: Session = { status: 'loading', name: null };
const unanswered: Session = { status: 'unanswered' };
const visitor: Session = { status: 'signed_out', leftByChoice: false };
const left: Session = { status: 'signed_out', leftByChoice: true };

const PAGE = { show: 'page' };
const SPINNER = { show: 'spinner' };
const RETRY = { show: 'retry' };
const at = (pathname: string, search = '') => ({ pathname, search });

describe('resolveGuard', () => {
  test('shows a public page to everybody without waiting for the session', () => {
    for (const session of [loading, visitor, verified, unverified, offline]) {
      expect(resolveGuard('public', session, at('/cases'))).toEqual(PAGE);
    }
  });

  test('waits on every other page until it is known who is signed in', () => {
    for (const access of ['landing', 'sign_in', 'signed_in', 'unverified'] as const) {
      expect(resolveGuard(access, loading, at('/'))).toEqual(SPINNER);
    }
  });

  test('offers a retry when only the server knows who is signed in, and shows pages for visitors meanwhile', () => {
    expect(resolveGuard('signed_in', unanswered, at('/app'))).toEqual(RETRY);
    expect(resolveGuard('unverified', unanswered, at('/verify-email'))).toEqual(RETRY);
    for (const access of ['public', 'landing', 'sign_in'] as const) {
      expect(resolveGuard(access, unanswered, at('/'))).toEqual(PAGE);
    }
  });

  test('leads a signed-in person from the landing page to the app', () => {
    expect(resolveGuard('landing', visitor, at('/'))).toEqual(PAGE);
    expect(resolveGuard('landing', verified, at('/'))).toEqual({ redirectTo: '/app' });
    expect(resolveGuard('landing', offline, at('/'))).toEqual({ redirectTo: '/app' });
  });

  test('leads a visitor of a protected page to the sign-in and remembers the page', () => {
    expect(resolveGuard('signed_in', visitor, at('/dashboard/gallery', '?tab=video'))).toEqual({
      redirectTo: '/auth?next=%2Fdashboard%2Fgallery%3Ftab%3Dvideo',
    });
  });

  test('remembers no page after a sign-out', () => {
    expect(resolveGuard('signed_in', left, at('/dashboard/gallery'))).toEqual({ redirectTo: '/auth' });
  });

  test('shows protected pages to unconfirmed accounts and, offline, to the person who was signed in', () => {
    for (const session of [verified, unverified, offline]) {
      expect(resolveGuard('signed_in', session, at('/app'))).toEqual(PAGE);
    }
  });

  test('redirects from the sign-in page to the confirmation, to where the person was going, or to the app', () => {
    expect(resolveGuard('sign_in', visitor, at('/auth'))).toEqual(PAGE);
    expect(resolveGuard('sign_in', verified, at('/auth'))).toEqual({ redirectTo: '/app' });
    expect(resolveGuard('sign_in', verified, at('/auth', '?next=%2Fdashboard%2Fgallery%3Fa%3D1'))).toEqual({
      redirectTo: '/dashboard/gallery?a=1',
    });
    expect(resolveGuard('sign_in', unverified, at('/auth'))).toEqual({ redirectTo: '/verify-email' });
    expect(resolveGuard('sign_in', unverified, at('/auth', '?next=%2Fdashboard%2Fgallery'))).toEqual({
      redirectTo: '/verify-email?next=%2Fdashboard%2Fgallery',
    });
  });

  test('shows the confirmation only to accounts that need it', () => {
    expect(resolveGuard('unverified', unverified, at('/verify-email'))).toEqual(PAGE);
    expect(resolveGuard('unverified', visitor, at('/verify-email'))).toEqual({ redirectTo: '/auth' });
    expect(resolveGuard('unverified', verified, at('/verify-email'))).toEqual({ redirectTo: '/app' });
    expect(resolveGuard('unverified', verified, at('/verify-email', '?next=%2Fdashboard%2Fgallery'))).toEqual({
      redirectTo: '/dashboard/gallery',
    });
  });
});

describe('the route table', () => {
  test('protects exactly the app, the dashboard and the account pages', () => {
    const protectedPaths = ROUTES.filter(({ access }) => access === 'signed_in').map(({ path }) => path);
    expect(protectedPaths.sort()).toEqual([
      '/app',
      '/dashboard/analytics',
      '/dashboard/batches',
      '/dashboard/change-model',
      '/dashboard/create-video',
      '/dashboard/gallery',
      '/dashboard/gallery/deleted',
      '/dashboard/photoshoot',
      '/dashboard/products',
      '/dashboard/try-on',
      '/settings',
      '/stars',
    ]);
  });

  test('has a page for each address that the server answers with 200, and no other', () => {
    expect(ROUTES.map(({ path }) => path).sort()).toEqual([...APP_PATHS].sort());
    expect(APP_PATHS).toEqual(expect.arrayContaining(Object.values(APP_REDIRECTS)));
  });

  test('names each path once and gives each a title', () => {
    expect(new Set(ROUTES.map(({ path }) => path)).size).toBe(ROUTES.length);
    const isEmpty = (title: PageTitle) => CHANGES.some((change) => chooseTitle(title, change).trim() === '');
    expect(ROUTES.filter(({ title }) => isEmpty(title))).toEqual([]);
    const titles = CHANGES.map((change) => ROUTES.map(({ title }) => chooseTitle(title, change)));
    expect(titles[0]).toContain('Смена модели');
    expect(titles[1]).toContain('Смена фона');
    expect(titles[1]).not.toContain('Смена модели');
  });
});
