import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasConnection } from '#pwa/device/connection.ts';
import { isRunning, isStalled } from '#pwa/features/generations/followed-generation.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { type Kind, letTimeGoOn, openPage, type ServerAnswer, stopTime } from './followed-page.ts';

const IDS = ['g1', 'g2'] as const;

const RARE_STEPS = [
  'list',
  'begin elsewhere',
  'go on',
  'complete',
  'fail',
  'time out',
  'cancel',
  'answer cancel',
  'lose cancel',
  'start',
  'lose start',
  'link',
  'event',
  'return',
  'check',
  'release',
  'offline',
  'online',
  'wait',
  'wait long',
  'answer late',
] as const;
type Step = (typeof RARE_STEPS)[number] | 'ask' | 'lose answer';

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('ask' as const) },
  { weight: 2, arbitrary: fc.constant('lose answer' as const) },
  { weight: RARE_STEPS.length, arbitrary: fc.constantFrom(...RARE_STEPS) },
);

/** A server with two generations of one tool. At most one runs, as the database ensures. */
function createServer() {
  const states = new Map<string, ServerAnswer>();
  const running = () => [...states.values()].find(({ status }) => !isFinal(status))?.id ?? null;
  const put = (id: string | null, change: Partial<ServerAnswer>) => {
    const state = id === null ? undefined : states.get(id);
    if (state) states.set(state.id, { ...state, ...change });
  };
  return {
    running,
    get: (id: string) => states.get(id) ?? null,
    begin(): string | null {
      const id = running() === null ? IDS.find((one) => !states.has(one)) : undefined;
      if (id) states.set(id, { id, status: 'pending' });
      return id ?? null;
    },
    goOn: () => put(running(), { status: 'generating' }),
    complete() {
      // The watchdog's failures may still turn into results.
      const late = [...states.values()].find(({ failureCode }) => failureCode === 'timed_out')?.id ?? null;
      put(running() ?? late, { status: 'completed', failureCode: undefined });
    },
    fail: (failureCode: ServerAnswer['failureCode']) => put(running(), { status: 'failed', failureCode }),
  };
}

beforeEach(stopTime);
afterEach(letTimeGoOn);

/** An open page, a server, and what can happen to both. */
async function playSteps(kind: Kind) {
  const server = createServer();
  const page = openPage(kind);
  await page.open();
  /** An answer that arrives after another event. */
  let onItsWay: ServerAnswer | null = null;
  const followedId = () => page.followed?.generationId ?? null;
  const ask = async () => {
    const id = followedId();
    if (id === null || !hasConnection()) return;
    const answer = server.get(id);
    if (answer) await page.answer(id, answer.status, answer);
    else await page.fail(id, 'lost');
  };
  const moves: Record<Step, () => unknown> = {
    ask,
    'lose answer': () => followedId() !== null && page.fail(followedId() ?? ''),
    'answer late': async () => {
      const id = followedId();
      if (onItsWay && onItsWay.id === id) await page.answer(onItsWay.id, onItsWay.status, onItsWay);
      onItsWay = id === null ? null : server.get(id);
    },
    list: () => page.list(server.running()),
    'begin elsewhere': () => server.begin(),
    'go on': () => server.goOn(),
    complete: () => server.complete(),
    fail: () => server.fail('engine_error'),
    'time out': () => server.fail('timed_out'),
    cancel: () => page.cancel(),
    'answer cancel': async () => {
      const id = page.state.cancelling;
      if (id === null) return;
      const isRunningThere = server.running() === id;
      if (isRunningThere) server.fail('cancelled');
      await page.answerCancel(isRunningThere ? 'cancelled' : null);
    },
    'lose cancel': () => page.state.cancelling !== null && page.loseCancel(),
    start: async () => {
      await page.sendStart();
      const id = server.begin() ?? server.running();
      if (id === null) await page.refuseStart(false);
      else await page.answerStart(id);
    },
    'lose start': async () => {
      await page.sendStart();
      server.begin();
      await page.refuseStart(true);
    },
    link: () => server.get('g1') && page.link('g1'),
    event: () => page.announceEvent(),
    return: () => page.comeBack(),
    check: () => page.check(),
    release: () => page.release(),
    offline: () => page.goOffline(),
    online: () => page.goOnline(),
    wait: () => page.pass(12_000),
    'wait long': () => page.pass(26 * 60_000),
  };
  const look = async (before: typeof page.followed, name: Step) => {
    for (const id of IDS) expect(page.endsOf(id).length).toBeLessThanOrEqual(1);
    const { followed, cancelling } = page.state;
    if (before && isRunning(before) && followed?.generationId !== before.generationId) {
      const isGone = server.get(before.generationId)?.status === 'failed';
      const isWish = name === 'start' || name === 'link';
      expect([name, isGone || isWish || before.origin === 'record']).toEqual([name, true]);
    }
    if (followed && isRunning(followed) && !isStalled(followed.step) && hasConnection() && cancelling === null) {
      // It is asked for, now or later.
      const { generationId } = followed;
      if (!page.isAsking(generationId)) expect([name, page.isDue(generationId)]).toEqual([name, true]);
    }
  };
  return {
    page,
    server,
    async run(names: readonly Step[]) {
      for (const name of names) {
        const before = page.followed;
        await moves[name]();
        await look(before, name);
      }
    },
  };
}

const KINDS = [
  ['that is asked patiently', 'video'],
  ['that is asked steadily', 'model_change'],
] as const;

test.each(KINDS)('of a generation %s no order of events tells two ends, or forgets one that runs', async (_, kind) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const { run, page } = await playSteps(kind);
      await run(steps);
      page.close();
    }),
    { numRuns: 200 },
  );
});

test.each(KINDS)(
  'whatever has happened, the page of a generation %s learns in the end how it ended, and says it',
  async (_, kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const { run, page, server } = await playSteps(kind);
        await run([...steps, 'answer cancel', 'online', 'list']);
        const id = page.followed?.generationId;
        if (id !== undefined && page.followed && isRunning(page.followed)) {
          // Of what a link has opened the page learns only now, and what was over by then is no news.
          const isUnknown = page.followed.origin === 'link' && page.followed.view === null;
          const told = page.endsOf(id).length;
          await run(['complete', 'check', 'ask', 'ask']);
          expect(server.get(id) === null || isFinal(server.get(id)?.status ?? 'pending')).toBe(true);
          expect(page.endsOf(id)).toHaveLength(isUnknown ? told : 1);
        }
        page.close();
      }),
      { numRuns: 200 },
    );
  },
);
