import type { LightMyRequestResponse } from 'fastify';
import { telegramWebhookPath } from '#api/services/chat/webhook.ts';
import { ANSWER_MAX_MS } from '#tests/support/contract-fuzzer.ts';
import { listEndpoints, nameEndpoint } from '#tests/support/list-endpoints.ts';
import { HOSTILE_BODIES } from '#tests/support/schema-arbitraries.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { createAdmin } from '#tests/support/users.ts';

const BESIDE_CONTRACT = [
  'POST /auth',
  'POST /share-target',
  'POST /api/no-such',
  'POST /no-such',
  'POST /api/payments/webhook/yookassa',
  'POST /api/payments/webhook/tbank',
];
const NO_ID = '01999999-9999-7999-8999-999999999999';
/** Calls that answer before they look at a body, because they have no use for it. */
const UNREAD = new RegExp(`^/(auth|share-target|no-such|api/no-such|api/engines/.*|api/payments/webhook/${NO_ID})$`);
/** Ends the session. */
const SIGN_OUT = 'POST /api/logout';

/**
 * Sends each hostile body to every call that takes one, as an administrator and with ids of nothing. Returns a line for each
 * answer that blames the program or comes late, and for each deep body that is not refused.
 */
export async function sendHostileBodies(testApp: TestApp): Promise<{ requests: number; violations: string[] }> {
  const { cookie } = await createAdmin(testApp);
  const headers = {
    cookie,
    'content-type': 'application/json',
    'x-telegram-bot-api-secret-token': testApp.app.config.telegram.webhookSecret,
  };
  const names = (await listEndpoints())
    .map(nameEndpoint)
    .filter((name) => !name.startsWith('GET') && name !== SIGN_OUT);
  const calls = [...names, ...BESIDE_CONTRACT, `POST ${telegramWebhookPath(testApp.app.config)}`];
  const violations: string[] = [];
  let requests = 0;
  for (const [name, payload] of Object.entries(HOSTILE_BODIES)) {
    await testApp.app.db.limitCount.deleteMany();
    for (const call of calls) {
      const [method = '', url = ''] = call.replaceAll(/:\w+/g, NO_ID).split(' ');
      const send = () => time(() => testApp.server.inject({ method: method as 'POST', url, headers, payload }));
      const { answer, ms } = await send();
      requests += 1;
      const seen = `${answer.statusCode} ${answer.body.slice(0, 200)}`;
      const isRefused = answer.statusCode === 400 && answer.body.includes('"invalid_request"');
      const isDeep = name.endsWith('deep') && !UNREAD.test(url);
      if (isDeep ? !isRefused : answer.statusCode >= 500) violations.push(`${call}, ${name}: ${seen}`);
      // Asked again, because the machine may have been busy.
      const slowMs = ms > ANSWER_MAX_MS ? (await send()).ms : 0;
      if (slowMs > ANSWER_MAX_MS) violations.push(`${call}, ${name}: took ${Math.round(slowMs)} ms`);
    }
  }
  return { requests, violations };
}

async function time(
  ask: () => Promise<LightMyRequestResponse>,
): Promise<{ answer: LightMyRequestResponse; ms: number }> {
  const startedAt = performance.now();
  const answer = await ask();
  return { answer, ms: performance.now() - startedAt };
}
