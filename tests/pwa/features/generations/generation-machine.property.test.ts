import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRunning, isStalled } from '#pwa/features/generations/followed-generation.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { PATIENT, play, STEADY, type Told } from './machine-play.ts';

const ENDS = ['completed', 'missing', 'failed', 'cancelled'];
const IDS = ['g1', 'g2'] as const;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant('ask' as const) },
  { weight: 2, arbitrary: fc.constant('lose answer' as const) },
  ...(
    [
      ...['open', 'list', 'begin elsewhere', 'go on', 'complete', 'fail', 'time out', 'cancel', 'answer cancel'],
      ...['lose cancel', 'start', 'lose start', 'link', 'nudge', 'nudge all', 'return', 'check', 'release'],
      ...['offline', 'online', 'wait', 'wait long', 'answer late'],
    ] as const
  ).map((name) => ({ weight: 1, arbitrary: fc.constant(name) })),
);

/** A server with two generations of one tool. At most one runs, as the database ensures. */
function createServer() {
  const states = new Map<string, Told>();
  const running = () => [...states.values()].find(({ status }) => !isFinal(status))?.id ?? null;
  const put = (id: string | null, change: Partial<Told>) => {
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
    fail: (failureCode: Told['failureCode']) => put(running(), { status: 'failed', failureCode }),
  };
}

/** Plays the steps and returns the state of the page and the server. */
function playSteps(
  policy: typeof PATIENT,
  steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
) {
  const server = createServer();
  const page = play(policy);
  /** An answer that arrives after another event. */
  let onItsWay: Told | null = null;
  const followedId = () => page.followed?.generationId ?? null;
  const ask = () => {
    const id = followedId();
    const told = id === null ? null : server.get(id);
    if (id === null || !page.state.isOnline) return;
    if (told) page.answer(id, told.status, told);
    else page.fail(id, 'lost');
  };
  const moves: Record<(typeof steps)[number], () => void> = {
    open: () => page.open(),
    ask,
    'lose answer': () => followedId() !== null && page.fail(followedId() ?? ''),
    'answer late': () => {
      const id = followedId();
      if (onItsWay) page.answer(onItsWay.id, onItsWay.status, onItsWay);
      onItsWay = id === null ? null : server.get(id);
    },
    list: () => page.list(server.running()),
    'begin elsewhere': () => server.begin(),
    'go on': () => server.goOn(),
    complete: () => server.complete(),
    fail: () => server.fail('engine_error'),
    'time out': () => server.fail('timed_out'),
    cancel: () => followedId() !== null && page.send({ type: 'cancel_sent', id: followedId() ?? '' }),
    'answer cancel': () => {
      const id = page.state.cancelling;
      if (id === null) return;
      if (server.running() === id) {
        server.fail('cancelled');
        page.send({ type: 'cancel_answered', at: page.now, id, outcome: 'cancelled', message: 'Остановлена' });
      } else page.send({ type: 'cancel_failed', at: page.now, id, message: 'Уже завершена' });
    },
    'lose cancel': () => {
      const id = page.state.cancelling;
      if (id !== null) page.send({ type: 'cancel_failed', at: page.now, id, message: 'Нет связи' });
    },
    start: () => {
      page.send({ type: 'start_sent' });
      const id = server.begin() ?? server.running();
      if (id === null) page.send({ type: 'start_failed', mayRun: false });
      else page.start(id);
    },
    'lose start': () => {
      page.send({ type: 'start_sent' });
      server.begin();
      page.send({ type: 'start_failed', mayRun: true });
    },
    link: () => server.get('g1') && page.link('g1'),
    nudge: () => followedId() !== null && page.nudge(followedId()),
    'nudge all': () => page.nudge(null),
    return: () => page.send({ type: 'returned', at: page.now }),
    check: () => page.send({ type: 'check_requested', at: page.now }),
    release: () => page.send({ type: 'released' }),
    offline: () => page.send({ type: 'went_offline' }),
    online: () => page.send({ type: 'came_online', at: page.now }),
    wait: () => page.pass(12_000),
    'wait long': () => page.pass(26 * 60_000),
  };
  const endsOf = (id: string) =>
    page.effects.filter(
      (effect) => effect.type === 'tell' && ENDS.includes(effect.outcome.kind) && effect.followed?.generationId === id,
    ).length;
  const look = (before: typeof page.followed, name: string) => {
    for (const id of IDS) expect(endsOf(id)).toBeLessThanOrEqual(1);
    const { followed, isOnline, cancelling } = page.state;
    if (followed && isRunning(followed) && !isStalled(followed.step) && isOnline && cancelling === null) {
      // It is asked for, now or later.
      expect([name, followed.nextPollAt !== null || followed.isAsking]).toEqual([name, true]);
    }
    if (before && isRunning(before) && page.followed?.generationId !== before.generationId) {
      const isGone = server.get(before.generationId)?.status === 'failed';
      const isWish = name === 'start' || name === 'link';
      expect([name, isGone || isWish || before.origin === 'record']).toEqual([name, true]);
    }
  };
  return {
    page,
    server,
    endsOf,
    run(names: typeof steps) {
      for (const name of names) {
        const before = page.followed;
        moves[name]();
        look(before, name);
      }
    },
    steps,
  };
}

test.each([
  ['that is asked patiently', PATIENT],
  ['that is asked steadily', STEADY],
])('of a generation %s no order of events tells two ends, or forgets one that runs', (_, policy) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const { run } = playSteps(policy, steps);
      run(steps);
    }),
    { numRuns: 400 },
  );
});

test.each([
  ['that is asked patiently', PATIENT],
  ['that is asked steadily', STEADY],
])('whatever has happened, the page of a generation %s learns in the end how it ended, and says it', (_, policy) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const { run, page, server, endsOf } = playSteps(policy, steps);
      run(['open', ...steps, 'answer cancel', 'online', 'list']);
      const id = page.followed?.generationId;
      if (id === undefined || !page.followed || !isRunning(page.followed)) return;
      run(['complete', 'check', 'ask', 'ask']);
      expect(server.get(id) === null || isFinal(server.get(id)?.status ?? 'pending')).toBe(true);
      expect(endsOf(id)).toBe(1);
    }),
    { numRuns: 400 },
  );
});
