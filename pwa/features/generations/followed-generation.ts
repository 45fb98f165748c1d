import type { GenerationView } from '#shared/contract/generations.ts';
import type { Progress } from '#shared/contract/progress.ts';
import { GENERATION_STATUSES, type GenerationStatus, isFinal } from '#shared/rules/generation-lifecycle.ts';

/**
 * Where the page stands with a generation. The last three are the page's own: it has asked for too long, could not reach
 * the server, or was told that there is no such generation.
 */
export const STEPS = [...GENERATION_STATUSES, 'timeout', 'error', 'critical_error'] as const;
export type Step = (typeof STEPS)[number];

/** How the page came to follow a generation. */
export type Origin = 'start' | 'link' | 'record' | 'server';

/** The end, where the answer of the start brought it along; its details are still asked for. */
export interface EarlyEnd {
  status: 'completed' | 'failed';
  url: string | null;
  starsSpent: number;
}

/** One generation as the page follows it. Moments are milliseconds since 1970 by this device's clock. */
export interface Followed<Subject, View extends GenerationView = GenerationView> {
  generationId: string;
  origin: Origin;
  /** What is made from what, as far as it is known. */
  subject: Subject;
  step: Step;
  /** The server's last word, kept under a step of the page's own. */
  status: GenerationStatus;
  startedAt: number;
  /** False until the server has told when it really began. */
  isStartKnown: boolean;
  /** From when the limit of the polling counts: since the page follows it, or since the person asked again. */
  watchedSince: number;
  pollCount: number;
  lastPollAt: number | null;
  /** When to ask next; null while nothing is to be asked. */
  nextPollAt: number | null;
  isAsking: boolean;
  failuresInARow: number;
  /** What went wrong since the last answer, oldest first. */
  errors: string[];
  progress: Progress | null;
  view: View | null;
  early: EarlyEnd | null;
}

/** What is known of a generation when the page begins to follow it. */
export interface Seed<Subject> {
  generationId: string;
  subject: Subject;
  /** Null: the server's first answer tells. */
  startedAt: number | null;
  status?: GenerationStatus;
  progress?: Progress | null;
  pollCount?: number;
  lastPollAt?: number | null;
  early?: EarlyEnd | null;
}

/** `lost`: the server does not know this generation or does not show it to us; asking again changes nothing. */
export type PollFailureKind = 'network' | 'unavailable' | 'server' | 'signed_out' | 'lost';
export interface PollFailure {
  kind: PollFailureKind;
  /** The server's own words; null where it sent none. */
  message: string | null;
}

/** What a tool decides about the following of its generations. */
export interface FollowPolicy<Subject, View extends GenerationView> {
  /** Between two questions while all is well. */
  pauseMs: number;
  pauseAfterFailureMs: (failuresInARow: number) => number;
  /** After so many failures in a row the page gives up; Infinity: never. */
  maxFailures: number;
  /** The page asks no longer than this by itself; Infinity: always. */
  limitMs: number;
  /** What a generation that is older is not restored for: the watchdog has ended it. */
  restoreMs: number;
  /** What is not there stays in sight as a problem, or makes way for the form. */
  whenLost: 'show' | 'release';
  /** The same for what could not be stopped any more. */
  whenItRunsOn: 'follow' | 'release';
  /** Whether what another door starts later is followed too, and not only what runs when the page opens. */
  joinsLater: boolean;
  /** Instead of the server's words for a question without an answer. */
  unansweredText: string;
  subjectOf: (view: View) => Subject;
}

export interface MachineState<Subject, View extends GenerationView = GenerationView> {
  /** Running or ended; null while there is nothing to show. */
  followed: Followed<Subject, View> | null;
  isOnline: boolean;
  /** False until the device's record has been read. */
  isRestored: boolean;
  /** Whether the server has told since then what runs. */
  isListed: boolean;
  isStarting: boolean;
  /** The generation whose stop was asked for and not answered. */
  cancelling: string | null;
  /** Every generation that the page has followed: a list that was asked before its end brings none of them back. */
  known: readonly string[];
  /** Those whose end was announced. */
  told: readonly string[];
}

export type MachineEvent<Subject, View extends GenerationView = GenerationView> =
  | { type: 'restored'; at: number; saved: Seed<Subject> | null }
  /** The running generation of this tool, as the server lists it. */
  | { type: 'listed'; at: number; running: Seed<Subject> | null }
  | { type: 'start_sent' }
  /** `mayRun`: the server may have started it all the same, or runs another. */
  | { type: 'start_failed'; mayRun: boolean }
  | { type: 'follow'; at: number; seed: Seed<Subject>; origin: 'start' | 'link' }
  | { type: 'asked'; id: string }
  | { type: 'answered'; at: number; view: View; startedAt: number }
  | { type: 'unanswered'; at: number; id: string; failure: PollFailure }
  /** The person asks: ask now, whatever the pause was. */
  | { type: 'check_requested'; at: number }
  /** The tab came back. */
  | { type: 'returned'; at: number }
  /** The server says that this one has changed; null: that anything may have. */
  | { type: 'nudged'; at: number; id: string | null }
  | { type: 'went_offline' }
  | { type: 'came_online'; at: number }
  | { type: 'cancel_sent'; id: string }
  | CancelAnswer
  /** The person is done with what has ended. */
  | { type: 'released' };

export type CancelAnswer =
  | { type: 'cancel_answered'; at: number; id: string; outcome: 'cancelled' | 'runs_on'; message: string }
  | { type: 'cancel_failed'; at: number; id: string; message: string };

/** What is to be said. `completed` to `cancelled` are ends: each generation has one at most. */
export type Outcome =
  | { kind: 'completed' }
  /** Completed, but there is no file. */
  | { kind: 'missing' }
  | { kind: 'failed'; message: string | null }
  | { kind: 'cancelled'; message: string }
  | { kind: 'resumed' }
  | { kind: 'runs_on'; message: string }
  | { kind: 'cancel_failed'; message: string }
  /** The first question of several without an answer. */
  | { kind: 'unanswered'; failure: PollFailure }
  | { kind: 'gave_up'; message: string }
  | { kind: 'timeout' }
  | { kind: 'lost'; message: string };

/** What follows from an event outside the machine. */
export type Effect<Subject, View extends GenerationView = GenerationView> =
  | { type: 'save'; followed: Followed<Subject, View> }
  | { type: 'forget' }
  /** The balance and the lists of results have changed. */
  | { type: 'refresh' }
  /** This one is to be shown: it was started, found or asked for. */
  | { type: 'present'; followed: Followed<Subject, View> }
  | { type: 'tell'; outcome: Outcome; followed: Followed<Subject, View> | null }
  /** A result that came after the end was told: it is shown, and nothing is said. */
  | { type: 'reveal'; followed: Followed<Subject, View> };

export interface Transition<Subject, View extends GenerationView = GenerationView> {
  state: MachineState<Subject, View>;
  effects: Effect<Subject, View>[];
}

export function initialState(isOnline: boolean): MachineState<never, never> {
  return {
    ...{ followed: null, isOnline, isRestored: false, isListed: false, isStarting: false, cancelling: null },
    ...{ known: [], told: [] },
  };
}

/** Whether the page has stopped asking by itself although the generation may still run. */
export function isStalled(step: Step): step is 'timeout' | 'error' | 'critical_error' {
  return step === 'timeout' || step === 'error' || step === 'critical_error';
}

/** Whether the generation may still be running as far as the page knows. */
export function isRunning({ status, step }: Pick<Followed<unknown>, 'status' | 'step'>): boolean {
  return !isFinal(status) && step !== 'critical_error';
}
