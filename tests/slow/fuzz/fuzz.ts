// `npm run test:slow -- fuzz`: calls every endpoint of the contract with hundreds of valid, nearly valid and hostile requests,
// and prints how often each status was answered. `--seed=1 --runs=50 --only=/api/gallery` repeats a part.
import { parseArgs } from 'node:util';
import { fuzzContract } from '#tests/support/contract-fuzzer.ts';
import { createTestApp } from '#tests/support/test-app.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, runs: { type: 'string' }, only: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
console.log(`seed ${seed}`);
const testApp = await createTestApp();
const report = await fuzzContract(testApp, { seed, runs: Number(values.runs ?? 200), only: values.only ?? '' });
await testApp.close();

for (const [endpoint, statuses] of Object.entries(report.statuses)) {
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  console.log(`${endpoint.padEnd(56)} ${counts.join('  ')}`);
}
console.log(
  `\nexpected: the contract's answer or a documented error in Russian, no other 5xx, no answer over two seconds`,
);
for (const violation of report.violations) console.log(`seen: ${violation}`);
const failed = report.violations.length;
console.log(`\nseed ${seed}, ${report.requests} requests: ${report.requests - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
