import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { followAccount } from '#pwa/features/account/session-watcher.tsx';
import { readSession } from '#pwa/features/session/use-session.ts';
import type { User } from '#shared/contract/account.ts';

const marker = { userId: 2, name: 'Борис' };
const anna = { id: 1 } as User;
const boris = { id: 2 } as User;
const reload = vi.fn();
let queryClient: QueryClient;
beforeEach(() => {
  reload.mockClear();
  vi.stubGlobal('location', { reload });
  queryClient = new QueryClient();
  queryClient.setQueryData(['user'], anna);
});
afterEach(() => vi.unstubAllGlobals());

test('the answer about another account is not shown for the one that is signed in', () => {
  const none = { error: null, errorUpdateCount: 0 };
  expect(readSession(marker, { user: boris, ...none })).toMatchObject({ status: 'signed_in', user: boris });
  expect(readSession(marker, { user: anna, ...none })).toEqual({ status: 'loading', name: 'Борис' });
  expect(readSession(marker, { user: anna, error: new Error('offline'), errorUpdateCount: 1 })).toEqual({
    status: 'signed_in',
    userId: 2,
    name: 'Борис',
    user: null,
  });
});

const silence = { user: undefined, error: new Error('offline'), errorUpdateCount: 1 };
const refusal = { user: undefined, error: new ApiError(401, 'x'), errorUpdateCount: 1 };

test('nobody is redirected while the server is asked who is signed in', () => {
  const asking = { user: undefined, error: null, errorUpdateCount: 0 };
  for (const trace of ['somebody', 'unknown'] as const) {
    expect(readSession(trace, asking)).toEqual({ status: 'loading', name: null });
  }
  // The answer writes the marker.
  expect(readSession('somebody', { ...asking, user: anna })).toEqual({ status: 'loading', name: null });
});

test('a refusal waits for what closes the session', () => {
  expect(readSession(marker, refusal)).toEqual({ status: 'loading', name: 'Борис' });
  expect(readSession('somebody', refusal)).toEqual({ status: 'loading', name: null });
});

test('without an answer the marker counts, an unknown person gets a retry, and no sign of a session means a visitor', () => {
  expect(readSession(marker, silence)).toMatchObject({ status: 'signed_in', user: null });
  expect(readSession('somebody', silence)).toEqual({ status: 'unanswered' });
  expect(readSession('unknown', silence)).toEqual({ status: 'signed_out', leftByChoice: false });
});

test('a tab that finds another account in the place of its own reloads', () => {
  followAccount(1, 2, queryClient);
  expect(reload).toHaveBeenCalledOnce();
  expect(queryClient.getQueryData(['user'])).toBeUndefined();
});

test('signing out only forgets what was read, and signing in does nothing', () => {
  followAccount(null, 1, queryClient);
  followAccount(1, 1, queryClient);
  expect(queryClient.getQueryData(['user'])).toBe(anna);
  followAccount(1, null, queryClient);
  expect(queryClient.getQueryData(['user'])).toBeUndefined();
  expect(reload).not.toHaveBeenCalled();
});
