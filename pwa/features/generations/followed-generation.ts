import type { GenerationView } from '#shared/contract/generations.ts';
import type { Progress } from '#shared/contract/progress.ts';
import { GENERATION_STATUSES, type GenerationStatus, isFinal } from '#shared/rules/generation-lifecycle.ts';

/**
 * The step of a followed generation. The last three are set by the page: it has polled for too long, it could not reach
 * the server, or the server does not know the generation.
 */
export const STEPS = [...GENERATION_STATUSES, 'timeout', 'error', 'critical_error'] as const;
export type Step = (typeof STEPS)[number];

/** Why the page follows a generation. */
export type Origin = 'start' | 'link' | 'record' | 'server';

/** The end of a generation that the answer to its start already contained. Its details are fetched afterwards. */
export interface EarlyEnd {
  status: 'completed' | 'failed';
  url: string | null;
  starsSpent: number;
}

/** A generation that the page follows. Times are milliseconds since 1970 by this device's clock. */
export interface Followed<Subject, View extends GenerationView = GenerationView> {
  generationId: string;
  origin: Origin;
  /** What the generation is made from, as far as it is known. */
  subject: Subject;
  step: Step;
  /** The last status from the server. It stays under a step that the page has set. */
  status: GenerationStatus;
  startedAt: number;
  /** False until the server has reported the real start. */
  isStartKnown: boolean;
  /**
   * The time limit of the polling counts from here: since the page follows it, or since the person asked to check
   * again.
   */
  watchedSince: number;
  pollCount: number;
  lastPollAt: number | null;
  /** When to poll next; null while no poll is planned. */
  nextPollAt: number | null;
  isAsking: boolean;
  failuresInARow: number;
  /** The errors since the last answer, oldest first. */
  errors: string[];
  progress: Progress | null;
  view: View | null;
  early: EarlyEnd | null;
}

/** What is known about a generation when the page starts to follow it. */
export interface Seed<Subject> {
  generationId: string;
  subject: Subject;
  /** Null until the server's first answer. */
  startedAt: number | null;
  status?: GenerationStatus;
  progress?: Progress | null;
  pollCount?: number;
  lastPollAt?: number | null;
  early?: EarlyEnd | null;
}

/** `lost`: the server does not know this generation or refuses to show it, so another poll is useless. */
export type PollFailureKind = 'network' | 'unavailable' | 'server' | 'signed_out' | 'lost';
export interface PollFailure {
  kind: PollFailureKind;
  /** The server's message; null when it sent none. */
  message: string | null;
}

/** How a tool's generations are followed. */
export interface FollowPolicy<Subject, View extends GenerationView> {
  /** The pause between two polls while they succeed. */
  pauseMs: number;
  pauseAfterFailureMs: (failuresInARow: number) => number;
  /** The page gives up after this many failures in a row; Infinity means never. */
  maxFailures: number;
  /** The page stops polling after this time; Infinity means never. */
  limitMs: number;
  /** An older generation is not restored, because the watchdog has ended it. */
  restoreMs: number;
  /** Whether a lost generation is shown as a problem or gives way to the form. */
  whenLost: 'show' | 'release';
  /** The same for a generation that could not be cancelled. */
  whenItRunsOn: 'follow' | 'release';
  /**
   * Whether generations that another door starts later are followed too, and not only those that run when the page
   * opens.
   */
  joinsLater: boolean;
  /** The text for a poll without an answer. */
  unansweredText: string;
  subjectOf: (view: View) => Subject;
}

export interface MachineState<Subject, View extends GenerationView = GenerationView> {
  /** The running or ended generation; null while there is nothing to show. */
  followed: Followed<Subject, View> | null;
  isOnline: boolean;
  /** False until the device's record has been read. */
  isRestored: boolean;
  /** Whether the server has listed the running generations since then. */
  isListed: boolean;
  isStarting: boolean;
  /** The generation whose cancellation is not answered yet. */
  cancelling: string | null;
  /** Every generation that the page has followed. A list requested before an end must not bring one of them back. */
  known: readonly string[];
  /** The generations whose end was announced. */
  told: readonly string[];
}

export type MachineEvent<Subject, View extends GenerationView = GenerationView> =
  | { type: 'restored'; at: number; saved: Seed<Subject> | null }
  /** The server's list of running generations has come, with this tool's one. */
  | { type: 'listed'; at: number; running: Seed<Subject> | null }
  | { type: 'start_sent' }
  /** `mayRun`: the server may have started it anyway, or runs another one. */
  | { type: 'start_failed'; mayRun: boolean }
  | { type: 'follow'; at: number; seed: Seed<Subject>; origin: 'start' | 'link' }
  | { type: 'asked'; id: string }
  | { type: 'answered'; at: number; view: View; startedAt: number }
  | { type: 'unanswered'; at: number; id: string; failure: PollFailure }
  /** The person asks for a poll now, whatever the pause. */
  | { type: 'check_requested'; at: number }
  /** The tab is visible again. */
  | { type: 'returned'; at: number }
  /** The server reports a change of this generation; null means that anything may have changed. */
  | { type: 'nudged'; at: number; id: string | null }
  | { type: 'went_offline' }
  | { type: 'came_online'; at: number }
  | { type: 'cancel_sent'; id: string }
  | CancelAnswer
  /** The person is done with the ended generation. */
  | { type: 'released' };

export type CancelAnswer =
  | { type: 'cancel_answered'; at: number; id: string; outcome: 'cancelled' | 'runs_on'; message: string }
  | { type: 'cancel_failed'; at: number; id: string; message: string };

/** What is announced. `completed` to `cancelled` are ends, and each generation has at most one. */
export type Outcome =
  | { kind: 'completed' }
  /** Completed, but without a file. */
  | { kind: 'missing' }
  | { kind: 'failed'; message: string | null }
  | { kind: 'cancelled'; message: string }
  | { kind: 'resumed' }
  | { kind: 'runs_on'; message: string }
  | { kind: 'cancel_failed'; message: string }
  /** The first unanswered poll of a series. */
  | { kind: 'unanswered'; failure: PollFailure }
  | { kind: 'gave_up'; message: string }
  | { kind: 'timeout' }
  | { kind: 'lost'; message: string };

/** What the controller does outside the machine after an event. */
export type Effect<Subject, View extends GenerationView = GenerationView> =
  | { type: 'save'; followed: Followed<Subject, View> }
  | { type: 'forget' }
  /** The balance and the lists of results have changed. */
  | { type: 'refresh' }
  /** Show this generation: it was started, found or requested. */
  | { type: 'present'; followed: Followed<Subject, View> }
  | { type: 'tell'; outcome: Outcome; followed: Followed<Subject, View> | null }
  /** A result came after the end was announced. It is shown without an announcement. */
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

/** Whether the page has stopped polling although the generation may still run. */
export function isStalled(step: Step): step is 'timeout' | 'error' | 'critical_error' {
  return step === 'timeout' || step === 'error' || step === 'critical_error';
}

/** Whether the generation may still be running, as far as the page knows. */
export function isRunning({ status, step }: Pick<Followed<unknown>, 'status' | 'step'>): boolean {
  return !isFinal(status) && step !== 'critical_error';
}
