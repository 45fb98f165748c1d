import { QueryClient, QueryClientProvider, type UseMutationResult } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callApi } from '#pwa/client/api-client.ts';
import { useVerifyEmail } from '#pwa/features/account/email-verification.ts';
import { useChangePassword } from '#pwa/features/account/password-change-form.tsx';
import { useConfirmEmailChange } from '#pwa/features/account/use-email-change.ts';
import { beginLogout, isLogoutPending, removeSessionMarker } from '#pwa/features/session/session-marker.ts';
import { isEntering } from '#pwa/features/session/session-memory.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { USER } from '#tests/pwa/support/samples.ts';
import { openFakePage } from '#tests/support/fake-page.ts';
import { until } from '#tests/support/until.ts';

let answer: () => void;
let isWaiting: boolean;
beforeEach(() => {
  openFakePage();
  isWaiting = false;
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/stars/balance') return Response.json({ balance: 2 });
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = resolve;
    isWaiting = true;
    await promise;
    return path === '/api/account/password' ? new Response(null, { status: 204 }) : Response.json(USER);
  });
});
afterEach(() => vi.unstubAllGlobals());

/** The function that the hook gives a component. */
function takeMutation<Variables>(
  useCall: () => UseMutationResult<unknown, Error, Variables>,
): (variables: Variables) => Promise<unknown> {
  let mutate: ((variables: Variables) => Promise<unknown>) | undefined;
  const Form = () => {
    mutate = useCall().mutateAsync;
    return null;
  };
  const client = new QueryClient();
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Form)));
  if (!mutate) throw new Error('nothing was rendered');
  return mutate;
}

const CALLS: [string, () => Promise<unknown>][] = [
  ['confirming the e-mail', () => takeMutation(useVerifyEmail)('K7XQ2M')],
  ['another password', () => takeMutation(useChangePassword)({ currentPassword: 'former', newPassword: 'another' })],
  ['another e-mail', () => takeMutation(useConfirmEmailChange)('K7XQ2M')],
];

test.each(CALLS)('%s counts as a change of the session’s token until it is answered', async (_what, make) => {
  const made = make();
  await until(() => expect(isWaiting).toBe(true));
  expect(isEntering()).toBe(true);
  answer();
  await made;
  expect(isEntering()).toBe(false);
});

test.each(CALLS)(
  '%s is sent when the calls before it are answered, because they carry the old token',
  async (_what, make) => {
    const balance = Promise.withResolvers<void>();
    const answered = vi.fn(() => isWaiting);
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (path: string) => {
      if (path === '/api/stars/balance') await balance.promise.then(answered);
      return fetch(path);
    });
    const before = callApi(getStarBalance);
    const made = make();
    await new Promise((resolve) => setTimeout(resolve));
    balance.resolve();
    await until(() => expect(isWaiting).toBe(true));
    expect(answered).toHaveReturnedWith(false);
    answer();
    await Promise.all([before, made]);
  },
);

test.each(CALLS)('%s ends no sign-out that waits for the server', async (_what, make) => {
  const made = make();
  await until(() => expect(isWaiting).toBe(true));
  beginLogout();
  removeSessionMarker();
  answer();
  await made;
  expect(isLogoutPending()).toBe(true);
});
