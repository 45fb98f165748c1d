import type { GenerationView } from '#shared/contract/generations.ts';
import { isFinal, POLL_MAX_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import {
  type CancelAnswer,
  type Followed,
  type FollowPolicy,
  isRunning,
  isStalled,
  type MachineEvent,
  type MachineState,
  type Origin,
  type Outcome,
  type PollFailure,
  type Seed,
  type Step,
  type Transition,
} from './followed-generation.ts';

/** When the tab becomes visible again, the page polls at once, but not more often than this. */
const RETURN_MIN_PAUSE_MS = 2000;

/** The state machine of a tool's generation in the page. It is pure: no clock, network, storage or interface. */
export function advance<Subject, View extends GenerationView>(
  policy: FollowPolicy<Subject, View>,
  state: MachineState<Subject, View>,
  event: MachineEvent<Subject, View>,
): Transition<Subject, View> {
  switch (event.type) {
    case 'restored':
      return restore(policy, { ...state, isRestored: true }, event);
    case 'listed':
      return takeListed(policy, state, event);
    case 'start_sent':
      return unchanged({ ...state, isStarting: true });
    case 'start_failed':
      // A start without an answer is found by the next list.
      return unchanged({ ...state, isStarting: false, isListed: state.isListed && !event.mayRun });
    case 'follow':
      return follow({ ...state, isStarting: event.origin === 'start' ? false : state.isStarting }, event);
    case 'cancel_sent':
      return unchanged({ ...state, cancelling: event.id });
    case 'cancel_answered':
    case 'cancel_failed':
      return takeCancelAnswer(policy, state, event);
    case 'released':
      return state.followed && !isRunning(state.followed) ? release(state) : unchanged(state);
    case 'went_offline':
      return unchanged({ ...withFollowed(state, { nextPollAt: null }), isOnline: false });
    case 'came_online':
      return unchanged(state.isOnline ? state : wake({ ...state, isOnline: true }, event.at, isAskedByItself));
    case 'check_requested':
      return unchanged(checkAgain(state, event.at));
    case 'returned':
      return unchanged(wake(state, event.at, (followed) => isReturnAsked(followed, event.at)));
    case 'nudged':
      return unchanged(wake(state, event.at, (followed) => isNudgeMeant(followed, event.id)));
    case 'asked':
      if (state.followed?.generationId !== event.id) return unchanged(state);
      return unchanged(withFollowed(state, { isAsking: true, nextPollAt: null }));
    case 'answered':
      return takeAnswer(policy, state, event);
    case 'unanswered':
      return takeFailure(policy, state, event);
  }
}

function unchanged<S, V extends GenerationView>(state: MachineState<S, V>): Transition<S, V> {
  return { state, effects: [] };
}

function withFollowed<S, V extends GenerationView>(
  state: MachineState<S, V>,
  change: Partial<Followed<S, V>>,
): MachineState<S, V> {
  return state.followed ? { ...state, followed: { ...state.followed, ...change } } : state;
}

/** Plans a poll for now, if the followed generation fits and the server can be reached. */
function wake<S, V extends GenerationView>(
  state: MachineState<S, V>,
  at: number,
  fits: (followed: Followed<S, V>) => boolean,
): MachineState<S, V> {
  const { followed, isOnline } = state;
  return followed && isOnline && fits(followed) ? withFollowed(state, { nextPollAt: at }) : state;
}

function isAskedByItself({ status, step }: Followed<unknown>): boolean {
  return !isFinal(status) && !isStalled(step);
}

function isReturnAsked({ nextPollAt, failuresInARow, lastPollAt }: Followed<unknown>, at: number): boolean {
  // The pauses after failures are not shortened.
  return nextPollAt !== null && failuresInARow === 0 && at - (lastPollAt ?? 0) >= RETURN_MIN_PAUSE_MS;
}

/** An ended generation is polled too: a late result may have come, or a file may be gone. */
function isNudgeMeant({ generationId, step }: Followed<unknown>, id: string | null): boolean {
  return (id === null || id === generationId) && step !== 'critical_error';
}

function checkAgain<S, V extends GenerationView>(state: MachineState<S, V>, at: number): MachineState<S, V> {
  const { followed } = state;
  if (!followed || isFinal(followed.status)) return state;
  return withFollowed(state, {
    step: followed.status,
    watchedSince: isStalled(followed.step) ? at : followed.watchedSince,
    failuresInARow: 0,
    errors: [],
    nextPollAt: state.isOnline ? at : null,
  });
}

/** Restores the device's record, unless the person has started something by then. */
function restore<S, V extends GenerationView>(
  policy: FollowPolicy<S, V>,
  state: MachineState<S, V>,
  { at, saved }: { at: number; saved: Seed<S> | null },
): Transition<S, V> {
  if (!saved || state.followed) return unchanged(state);
  if (isTooOld(policy, saved, at)) return { state, effects: [{ type: 'forget' }] };
  return resume(state, { seed: saved, origin: 'record', at });
}

/** Takes over the server's list, which is newer than the record. What the person has started or requested stays. */
function takeListed<S, V extends GenerationView>(
  policy: FollowPolicy<S, V>,
  before: MachineState<S, V>,
  { at, running }: { at: number; running: Seed<S> | null },
): Transition<S, V> {
  // A list requested during a start may name the generation that the answer to the start will name.
  if (before.isStarting) return unchanged(before);
  const state = { ...before, isListed: true };
  const { followed } = state;
  const isMeant = running && (policy.joinsLater || !before.isListed) && !state.known.includes(running.generationId);
  if (!isMeant || isTooOld(policy, running, at)) return unchanged(state);
  if (followed && isRunning(followed) && followed.origin !== 'record') return unchanged(state);
  return resume(state, { seed: running, origin: 'server', at });
}

function isTooOld<S, V extends GenerationView>(policy: FollowPolicy<S, V>, { startedAt }: Seed<S>, at: number) {
  return startedAt !== null && at - startedAt >= policy.restoreMs;
}

function resume<S, V extends GenerationView>(state: MachineState<S, V>, found: Found<S>): Transition<S, V> {
  return then(beginFollowing(state, found), (resumed) => tell(resumed, { kind: 'resumed' }));
}

/** Shows a generation that was just started or requested by its id. If it is already followed, that goes on. */
function follow<S, V extends GenerationView>(state: MachineState<S, V>, wanted: Found<S>): Transition<S, V> {
  const { followed } = state;
  const isSame = followed?.generationId === wanted.seed.generationId && followed.step !== 'critical_error';
  return isSame ? { state, effects: [{ type: 'present', followed }] } : beginFollowing(state, wanted);
}

interface Found<S> {
  seed: Seed<S>;
  origin: Origin;
  at: number;
}

function beginFollowing<S, V extends GenerationView>(
  state: MachineState<S, V>,
  { seed, origin, at }: Found<S>,
): Transition<S, V> {
  const { status = 'pending', progress = null, pollCount = 0, lastPollAt = null, early = null } = seed;
  const followed: Followed<S, V> = {
    generationId: seed.generationId,
    ...{ origin, subject: seed.subject, step: status, status, watchedSince: at },
    ...{ startedAt: seed.startedAt ?? at, isStartKnown: seed.startedAt !== null },
    ...{ pollCount, lastPollAt, nextPollAt: state.isOnline ? at : null, isAsking: false, failuresInARow: 0 },
    ...{ errors: [], progress, view: null, early },
  };
  const known = [...state.known.filter((id) => id !== seed.generationId), seed.generationId];
  const begun: Transition<S, V> = {
    state: { ...state, followed, cancelling: null, known },
    effects: [
      { type: 'save', followed },
      { type: 'present', followed },
    ],
  };
  // Without a file the outcome is not known yet.
  if (!early || (early.status === 'completed' && early.url === null)) return begun;
  return then(begun, (reached) => {
    const ended = end(reached, { ...followed, status: early.status, step: early.status });
    return { ...ended, state: withFollowed(ended.state, { nextPollAt: followed.nextPollAt }) };
  });
}

function takeAnswer<S, V extends GenerationView>(
  policy: FollowPolicy<S, V>,
  state: MachineState<S, V>,
  { at, view, startedAt }: { at: number; view: V; startedAt: number },
): Transition<S, V> {
  const { followed } = state;
  if (followed?.generationId !== view.id) return unchanged(state);
  const answered: Followed<S, V> = {
    ...followed,
    ...{ isAsking: false, pollCount: followed.pollCount + 1, lastPollAt: at, failuresInARow: 0, errors: [] },
    ...{ view, subject: policy.subjectOf(view), progress: view.progress, status: view.status, step: view.status },
    ...{ startedAt: followed.isStartKnown ? followed.startedAt : startedAt, isStartKnown: true },
  };
  if (isFinal(followed.status)) return refine(state, followed, answered);
  if (isFinal(view.status)) {
    // The answer to the cancellation is announced instead. If none comes, the end is polled for again.
    if (state.cancelling === view.id) return unchanged(withFollowed(state, { isAsking: false, nextPollAt: null }));
    return end(state, answered);
  }
  return goOn(policy, state, { followed: answered, at, pauseMs: policy.pauseMs });
}

/** Handles an answer after the end: it adds details or a late result, and takes nothing back. */
function refine<S, V extends GenerationView>(
  state: MachineState<S, V>,
  before: Followed<S, V>,
  answered: Followed<S, V>,
): Transition<S, V> {
  const isLate = before.status === 'failed' && answered.status === 'completed';
  const isTaken = isLate || before.status === answered.status;
  const followed = { ...(isTaken ? answered : before), isAsking: false, nextPollAt: null };
  return { state: { ...state, followed }, effects: isLate ? [{ type: 'refresh' }, { type: 'reveal', followed }] : [] };
}

function takeFailure<S, V extends GenerationView>(
  policy: FollowPolicy<S, V>,
  state: MachineState<S, V>,
  { at, id, failure }: { at: number; id: string; failure: PollFailure },
): Transition<S, V> {
  const { followed } = state;
  if (followed?.generationId !== id) return unchanged(state);
  if (isFinal(followed.status)) return unchanged(withFollowed(state, { isAsking: false, nextPollAt: null }));
  const failuresInARow = followed.failuresInARow + 1;
  const message = failure.message ?? policy.unansweredText;
  const failed: Followed<S, V> = {
    ...followed,
    ...{ isAsking: false, pollCount: followed.pollCount + 1, lastPollAt: at, failuresInARow },
    errors: [...followed.errors, message].slice(-POLL_MAX_FAILURES),
  };
  if (failure.kind === 'lost') return lose(policy, state, { followed: failed, message });
  // A signed-out person leaves the page, and nothing more is stored for them.
  if (failure.kind === 'signed_out') return unchanged({ ...state, followed: { ...failed, nextPollAt: null } });
  const isNews = failuresInARow === 1 && !isStalled(followed.step);
  const gaveUp: Step | null = failuresInARow >= policy.maxFailures ? 'error' : null;
  const pauseMs = policy.pauseAfterFailureMs(failuresInARow);
  return then(goOn(policy, state, { followed: failed, at, pauseMs, gaveUp }), (next) =>
    isNews ? tell(next, { kind: 'unanswered', failure }) : unchanged(next),
  );
}

interface Course<S, V extends GenerationView> {
  followed: Followed<S, V>;
  at: number;
  pauseMs: number;
  gaveUp?: Step | null;
}

/** The generation still runs, as far as is known: plans the next poll, or stops the polling with a reason. */
function goOn<S, V extends GenerationView>(
  policy: FollowPolicy<S, V>,
  state: MachineState<S, V>,
  { followed: asked, at, pauseMs, gaveUp = null }: Course<S, V>,
): Transition<S, V> {
  const stalled = gaveUp ?? (at - asked.watchedSince >= policy.limitMs ? 'timeout' : null);
  // A poll that was requested during the previous one is due now.
  const nextPollAt = state.isOnline && !stalled ? (asked.nextPollAt ?? at + pauseMs) : null;
  const followed = { ...asked, step: stalled ?? asked.step, nextPollAt };
  const saved: Transition<S, V> = { state: { ...state, followed }, effects: [{ type: 'save', followed }] };
  if (!stalled || stalled === state.followed?.step) return saved;
  const outcome: Outcome =
    stalled === 'timeout' ? { kind: 'timeout' } : { kind: 'gave_up', message: followed.errors.at(-1) ?? '' };
  return then(saved, (next) => tell(next, outcome));
}

function lose<S, V extends GenerationView>(
  policy: FollowPolicy<S, V>,
  state: MachineState<S, V>,
  { followed, message }: { followed: Followed<S, V>; message: string },
): Transition<S, V> {
  const lost = { ...followed, step: 'critical_error', nextPollAt: null } as const;
  const kept: Transition<S, V> =
    policy.whenLost === 'show'
      ? { state: { ...state, followed: lost }, effects: [{ type: 'save', followed: lost }] }
      : release(state);
  return { ...kept, effects: [...kept.effects, { type: 'tell', outcome: { kind: 'lost', message }, followed: lost }] };
}

/** Ends a generation and announces it once. */
function end<S, V extends GenerationView>(state: MachineState<S, V>, last: Followed<S, V>): Transition<S, V> {
  const followed = { ...last, nextPollAt: null, isAsking: false };
  const outcome = nameEnd(followed);
  const isCancelled = outcome.kind === 'cancelled';
  const cleared = { ...release(state), state: { ...state, followed: isCancelled ? null : followed } };
  return then(cleared, (next) => tellEnd(next, { outcome, followed, id: followed.generationId }));
}

function tellEnd<S, V extends GenerationView>(
  state: MachineState<S, V>,
  { outcome, followed, id }: { outcome: Outcome; followed: Followed<S, V> | null; id: string },
): Transition<S, V> {
  if (state.told.includes(id)) return unchanged(state);
  return { state: { ...state, told: [...state.told, id] }, effects: [{ type: 'tell', outcome, followed }] };
}

function nameEnd({ status, view, early }: Followed<unknown>): Outcome {
  if (status === 'failed') {
    const failure = view?.failure ?? null;
    if (failure?.code === 'cancelled') return { kind: 'cancelled', message: failure.message };
    return { kind: 'failed', message: failure?.message ?? null };
  }
  const hasFile = view ? view.results.length > 0 : early?.url != null;
  return { kind: hasFile ? 'completed' : 'missing' };
}

function takeCancelAnswer<S, V extends GenerationView>(
  policy: FollowPolicy<S, V>,
  state: MachineState<S, V>,
  event: CancelAnswer,
): Transition<S, V> {
  const { followed } = state;
  const { id, message } = event;
  const isOfFollowed = followed?.generationId === id;
  const open = state.cancelling === id ? { ...state, cancelling: null } : state;
  // It may have ended before the cancellation.
  const awake = isOfFollowed ? wake(open, event.at, isAskedByItself) : open;
  if (event.type === 'cancel_failed') return tell(awake, { kind: 'cancel_failed', message });
  if (event.outcome === 'cancelled') {
    const left: Transition<S, V> = isOfFollowed ? release(open) : { state: open, effects: [{ type: 'refresh' }] };
    return then(left, (next) => tellEnd(next, { outcome: { kind: 'cancelled', message }, followed, id }));
  }
  const isLeft = isOfFollowed && policy.whenItRunsOn === 'release';
  return then(isLeft ? release(open) : unchanged(awake), (next) => tell(next, { kind: 'runs_on', message }));
}

function release<S, V extends GenerationView>(state: MachineState<S, V>): Transition<S, V> {
  return { state: { ...state, followed: null, cancelling: null }, effects: [{ type: 'forget' }, { type: 'refresh' }] };
}

function tell<S, V extends GenerationView>(state: MachineState<S, V>, outcome: Outcome): Transition<S, V> {
  return { state, effects: [{ type: 'tell', outcome, followed: state.followed }] };
}

function then<S, V extends GenerationView>(
  { state, effects }: Transition<S, V>,
  next: (state: MachineState<S, V>) => Transition<S, V>,
): Transition<S, V> {
  const following = next(state);
  return { state: following.state, effects: [...effects, ...following.effects] };
}
