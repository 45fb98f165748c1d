import { expect, test } from 'vitest';
import type { Access, Endpoint } from '#shared/contract/endpoint.ts';
import { listEndpoints, nameEndpoint } from '#tests/support/list-endpoints.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerUnverified, registerVerified } from '#tests/support/users.ts';

const testApp = useTestApp();
const endpoints = await listEndpoints();

const PUBLIC = [
  'GET /api/catalogue',
  'GET /api/notifications/public-key',
  'GET /api/operator',
  'GET /api/payments/invoices/:id',
  'GET /api/payments/providers',
  'GET /api/payments/star-packages',
  'GET /api/session-error',
  'GET /api/showcase',
  'GET /api/tools',
  'GET /api/tools/offer',
  'POST /api/analytics/event',
  'POST /api/engines/:name/:secret',
  'POST /api/login',
  'POST /api/logout',
  'POST /api/password-reset',
  'POST /api/password-reset/request',
  'POST /api/payments/webhook/:provider',
  'POST /api/register',
  'POST /api/telegram/part',
];
/** What costs stars or money, or changes what an account is reached by. */
const VERIFIED = [
  'POST /api/account/email',
  'POST /api/account/email/confirm',
  'POST /api/batches/:id/repeat',
  'POST /api/batches/:id/resume',
  'POST /api/batches/:id/rows/:row/redo',
  'POST /api/batches/:id/start',
  'POST /api/batches/queue',
  'POST /api/change-model',
  'POST /api/generate',
  'POST /api/generations/:id/reroll',
  'POST /api/payments/create-invoice',
  'POST /api/photosession',
  'POST /api/telegram/link',
  'POST /api/telegram/link-address',
  'POST /api/try-on',
];
const FOR_ADMINS = /^\w+ \/api\/(admin\/|analytics(?!\/event$))/;

function accessTo(name: string): Access {
  if (PUBLIC.includes(name)) return 'public';
  if (VERIFIED.includes(name)) return 'verified';
  return FOR_ADMINS.test(name) ? 'admin' : 'account';
}

/** The refusals of every call with this access, by the call. Nothing that is sent could be read. */
async function refusalsOf(cookie: string, isMeant: (access: Access) => boolean): Promise<Record<string, unknown>> {
  const refusals: Record<string, unknown> = {};
  for (const endpoint of endpoints.filter(({ access }) => isMeant(access))) {
    const answer = await sendNonsense(cookie, endpoint);
    refusals[nameEndpoint(endpoint)] = `${answer.statusCode} ${answer.json().code}`;
  }
  return refusals;
}

function sendNonsense(cookie: string, { method, path }: Endpoint) {
  const url = path.replaceAll(/:\w+/g, '%00');
  const headers = { cookie, 'content-type': 'application/json' };
  return testApp.server.inject({ method, url, headers, ...(method === 'GET' ? {} : { payload: '{"broken' }) });
}

const all = (refusals: Record<string, unknown>, refusal: string) =>
  Object.fromEntries(Object.keys(refusals).map((name) => [name, refusal]));

test('every call is for whom it is meant', () => {
  const names = endpoints.map(nameEndpoint);
  expect(Object.fromEntries(endpoints.map((endpoint) => [nameEndpoint(endpoint), endpoint.access]))).toEqual(
    Object.fromEntries(names.map((name) => [name, accessTo(name)])),
  );
  expect(names).toEqual(expect.arrayContaining([...PUBLIC, ...VERIFIED]));
});

test('a visitor is asked to sign in before anything else is looked at', async () => {
  const refusals = await refusalsOf('', (access) => access !== 'public');
  expect(refusals).toEqual(all(refusals, '401 unauthorized'));
});

test('an e-mail has to be confirmed before anything else is looked at', async () => {
  const { cookie } = await registerUnverified(testApp);
  const refusals = await refusalsOf(cookie, (access) => access === 'verified');
  expect(refusals).toEqual(all(refusals, '403 email_not_verified'));
});

test('the administration is for administrators only', async () => {
  const { cookie } = await registerVerified(testApp);
  const refusals = await refusalsOf(cookie, (access) => access === 'admin');
  expect(refusals).toEqual(all(refusals, '403 forbidden'));
});
