// `npm run test:slow -- fuzz`: calls every endpoint of the contract with hundreds of valid, nearly valid and hostile requests,
// and prints how often each status was answered; then sends every hostile body to every call.
// `--seed=1 --runs=50 --only=/api/gallery` repeats a part.
import { parseArgs } from 'node:util';
import { fuzzContract } from '#tests/support/contract-fuzzer.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { sendHostileBodies } from './hostile-bodies.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, runs: { type: 'string' }, only: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
console.log(`seed ${seed}`);
// Nobody answers at the addresses outside.
const env = {
  PAYMENTS: 'yookassa,tbank',
  YOOKASSA_SHOP_ID: '100500',
  YOOKASSA_SECRET_KEY: 'test_fake-secret-key',
  YOOKASSA_WEBHOOK_ADDRESSES: '',
  TBANK_TERMINAL_KEY: '1700000000000',
  TBANK_PASSWORD: 'a-password-of-a-terminal',
  RECEIPT_TAX_SYSTEM: '2',
  TELEGRAM_BOT_TOKEN: '123456:AAE-token-of-no-bot-at-all',
  TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
  // Telegram calls only an https address.
  PUBLIC_URL: 'https://podium.example',
};
const plainApp = await createTestApp();
const report = await fuzzContract(plainApp, { seed, runs: Number(values.runs ?? 200), only: values.only ?? '' });
await plainApp.close();
const openApp = await createTestApp({ env });
const hostile = values.only ? { requests: 0, violations: [] } : await sendHostileBodies(openApp);
await openApp.close();

for (const [endpoint, statuses] of Object.entries(report.statuses)) {
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  console.log(`${endpoint.padEnd(56)} ${counts.join('  ')}`);
}
console.log(
  `\nexpected: the contract's answer or a documented error in Russian, no other 5xx, no answer over two seconds`,
);
const violations = [...report.violations, ...hostile.violations];
for (const violation of violations) console.log(`seen: ${violation}`);
const requests = report.requests + hostile.requests;
const failed = violations.length;
console.log(`\nseed ${seed}, ${requests} requests: ${requests - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
