import { ANSWER_MAX_MS } from '#tests/support/contract-fuzzer.ts';
import { listEndpoints, nameEndpoint } from '#tests/support/list-endpoints.ts';
import { HOSTILE_BODIES } from '#tests/support/schema-arbitraries.ts';
import { type AbuseCase, describeAnswer } from './abuse-fixture.ts';

const DEEP = Object.keys(HOSTILE_BODIES).filter((name) => name.endsWith('deep'));
/** Calls beside the contract that take a body. */
const BESIDE_CONTRACT = ['POST /auth', 'POST /share-target', 'POST /api/no-such', 'POST /no-such'];
const NO_ID = '01999999-9999-7999-8999-999999999999';
/** Calls that answer before they look at a body, because they have no use for it. */
const UNREAD = new RegExp(`^/(auth|share-target|no-such|api/no-such|api/engines/.*|api/payments/webhook/${NO_ID})$`);
/** Ends the session, so it comes last. */
const LAST = '/api/logout';

/** Every call that takes a body, with ids of nothing in its path. */
async function listCalls(telegramWebhook: string): Promise<[method: string, path: string][]> {
  const names = (await listEndpoints()).map(nameEndpoint).filter((name) => !name.startsWith('GET'));
  const providers = ['yookassa', 'tbank'].map((name) => `POST /api/payments/webhook/${name}`);
  return [...names, ...providers, `POST ${telegramWebhook}`, ...BESIDE_CONTRACT]
    .map((name) => {
      const [method = '', path = ''] = name.replaceAll(/:\w+/g, NO_ID).split(' ');
      return [method, path] as [string, string];
    })
    .sort(([, a], [, b]) => Number(a === LAST) - Number(b === LAST));
}

async function time(ask: () => Promise<Response>): Promise<{ answer: Response; ms: number }> {
  const startedAt = performance.now();
  const answer = await ask();
  return { answer, ms: performance.now() - startedAt };
}

/** One case for each hostile body: all calls are made with it, by somebody who may make them. */
export function hostileRequestCases({
  telegramWebhook,
  telegramSecret,
  signIn,
}: {
  telegramWebhook: string;
  telegramSecret: string;
  signIn(): Promise<string>;
}): AbuseCase[] {
  return Object.entries(HOSTILE_BODIES).map(([name, body]) => ({
    name: `${name}, sent to every call`,
    expected: `${DEEP.includes(name) ? '400 invalid_request' : 'no 5xx'}, within ${ANSWER_MAX_MS / 1000} s`,
    async try(fixture) {
      const cookie = await signIn();
      const wrong: string[] = [];
      for (const [method, path] of await listCalls(telegramWebhook)) {
        const headers = { 'x-telegram-bot-api-secret-token': telegramSecret };
        const send = () => time(() => fixture.call(path, { method, body, cookie, headers }));
        const { answer, ms } = await send();
        const seen = await describeAnswer(answer);
        // Asked again, because the machine may have been busy.
        const slowMs = ms > ANSWER_MAX_MS ? (await send()).ms : 0;
        if (slowMs > ANSWER_MAX_MS) wrong.push(`${method} ${path}: took ${Math.round(slowMs)} ms`);
        const isDeep = DEEP.includes(name) && !UNREAD.test(path);
        if (isDeep ? seen !== '400 invalid_request' : seen.startsWith('5')) wrong.push(`${method} ${path}: ${seen}`);
      }
      return wrong.length > 0 ? wrong.join('; ') : this.expected;
    },
  }));
}
