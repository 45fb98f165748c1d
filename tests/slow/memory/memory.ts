/**
 * `npm run test:slow -- memory`: memory of the whole process tree of a server with all roles on the embedded database.
 * Above that at rest while videos are made, where each page that several processes share counts once; and resident after
 * 100 generations compared with after 10. What a server takes at rest is measured by `rest.bench.ts`.
 * `GENERATIONS=20 VIDEOS=5` is a quick run: so many generations, of which so many are videos of five seconds and the
 * others change a background.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { changeForm, startServer, Visitor } from '#tests/support/running-server.ts';
import { listTree, measureTree, toMegabytes } from './measure-tree.ts';

const GENERATIONS = Number(process.env.GENERATIONS ?? 100);
const VIDEOS = Number(process.env.VIDEOS ?? GENERATIONS);
const EARLY = Math.min(10, Math.ceil(GENERATIONS / 4));
const PEAK_BUDGET_MB = 450;
const GROWTH_BUDGET = 1.2;
/** Processes that wait for more work have ended, and V8 has collected what only the start needed. */
const REST_MS = 150_000;
/** On a busy machine what was ordered last may take longer. */
const REST_TIMEOUT_MS = 10 * 60_000;
const SAMPLE_MS = 100;
const NEW_ACCOUNT_STARS = 2;

const problems: string[] = [];

function check(what: string, value: number, budget: number, unit = ' MB'): void {
  console.log(`${what}: ${value}${unit} (budget ${budget}${unit})`);
  if (value > budget) problems.push(what);
}

/** The memory at rest, in megabytes: of the server alone, when the processes that work for it have ended. */
async function measureRest(pid: number): Promise<number> {
  await wait(REST_MS);
  const deadline = performance.now() + REST_TIMEOUT_MS;
  while (listTree(pid).length > 1) {
    if (performance.now() > deadline) throw new Error('the processes of the work do not end');
    await wait(SAMPLE_MS);
  }
  return toMegabytes(measureTree(pid, 'Rss'));
}

/** Has one generation made by an account with stars, and returns the highest memory meanwhile, in bytes. */
async function makeOne(visitor: Visitor, imageId: string, isVideo: boolean, pid: number): Promise<number> {
  if (isVideo) await visitor.json('POST', '/api/generate', { imageId });
  else await visitor.json('POST', '/api/change-model', changeForm(imageId));
  let peak = 0;
  while (await visitor.isWaiting()) {
    for (let sample = 0; sample < 5; sample++) {
      await wait(SAMPLE_MS);
      peak = Math.max(peak, measureTree(pid, 'Pss'));
    }
  }
  return peak;
}

const photo = await drawProductPhoto('garment', { width: 1500, height: 2000 });
const server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1,::1', LOG_LEVEL: 'error' } });
try {
  console.log(`at rest: ${await measureRest(server.pid)} MB`);
  const restShare = measureTree(server.pid, 'Pss');
  let early = 0;
  let peak = 0;
  for (let made = 0; made < GENERATIONS; made += NEW_ACCOUNT_STARS) {
    // Registrations are limited by address.
    const visitor = new Visitor(server, { 'x-forwarded-for': `10.2.${Math.floor(made / 200)}.${(made % 200) + 1}` });
    await visitor.register(`memory-${made}@example.com`);
    const imageId = await visitor.uploadPhoto(photo);
    for (let index = made; index < Math.min(made + NEW_ACCOUNT_STARS, GENERATIONS); index++) {
      const isVideo = Math.floor(((index + 1) * VIDEOS) / GENERATIONS) > Math.floor((index * VIDEOS) / GENERATIONS);
      peak = Math.max(peak, await makeOne(visitor, imageId, isVideo, server.pid));
      if (index + 1 === EARLY) early = await measureRest(server.pid);
      if (process.stdout.isTTY) console.log(`${index + 1}: ${toMegabytes(measureTree(server.pid, 'Rss'))} MB`);
    }
  }
  const late = await measureRest(server.pid);
  check('peak above rest', toMegabytes(peak - restShare), PEAK_BUDGET_MB);
  console.log(`after ${EARLY} generations ${early} MB, after ${GENERATIONS} ${late} MB`);
  check('growth', Number((late / early).toFixed(2)), GROWTH_BUDGET, '');
} finally {
  await server.stop();
}
for (const problem of problems) console.log(`over budget: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
