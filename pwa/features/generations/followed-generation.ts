import { ERRORS } from '#shared/contract/errors.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { Progress } from '#shared/contract/progress.ts';
import { GENERATION_STATUSES, type GenerationStatus, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { type GenerationQueryState, isNewer, POLLING, type PollFailure } from './generation-query.ts';

/**
 * The step of a followed generation. The last three are set by the page: it has polled for too long, it could not reach
 * the server, or the server does not know the generation.
 */
export const STEPS = [...GENERATION_STATUSES, 'timeout', 'error', 'critical_error'] as const;
export type Step = (typeof STEPS)[number];

export type Origin = 'start' | 'link' | 'record' | 'server';

/**
 * How a generation had ended when the answer to its start came: the start was a repeat of an earlier one. A poll brings
 * the details afterwards.
 */
export interface EarlyEnd {
  status: 'completed' | 'failed';
  url: string | null;
  starsSpent: number;
}

/**
 * What is known about a generation when the page starts to follow it. Times are milliseconds by this device's clock.
 */
export interface Seed<Subject> {
  generationId: string;
  /** What it is made from, as far as it is known. */
  subject: Subject;
  /** Null until the server's first answer. */
  startedAt: number | null;
  status?: GenerationStatus;
  progress?: Progress | null;
  pollCount?: number;
  lastPollAt?: number | null;
  /** Null, or absent, when the answer to the start told no end. */
  early?: EarlyEnd | null;
}

/** A generation that the page has been asked to follow. What the server says of it is in its query. */
export interface Watch<Subject> extends Seed<Subject> {
  origin: Origin;
  /** The time limit counts from here: since the page follows it, or since the person asked to check again. */
  since: number;
  /** The query's count of polls when the page began to follow it. `pollCount` counts only later ones. */
  pollsBefore: number;
}

/** A followed generation as the page shows it: the seed, completed by what its query knows. */
export interface Followed<Subject, View extends GenerationView = GenerationView> {
  generationId: string;
  origin: Origin;
  subject: Subject;
  step: Step;
  /** The last status from the server. It stays under a step that the page has set. */
  status: GenerationStatus;
  startedAt: number;
  pollCount: number;
  lastPollAt: number | null;
  isAsking: boolean;
  /** Counted up to `POLL_MAX_FAILURES`. */
  failuresInARow: number;
  lastFailure: PollFailure | null;
  /** The errors since the last answer, oldest first. */
  errors: string[];
  progress: Progress | null;
  view: View | null;
  /** Of the seed. It tells the end until `view` is there. */
  early: EarlyEnd | null;
}

export interface FollowPolicy<Subject, View extends GenerationView> {
  /** An older generation is not restored, because the watchdog has ended it. */
  restoreMs: number;
  /** Whether a lost generation is shown as a problem or gives way to the form. */
  whenLost: 'show' | 'release';
  /** Whether a generation that could not be cancelled stays on the page or gives way to the form. */
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

/** What the following needs of a tool. */
export interface FollowingTool<Subject, View extends GenerationView> {
  kind: View['kind'];
  policy: FollowPolicy<Subject, View>;
}

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

/** The server does not know a generation of another tool by this page's name. */
const OF_ANOTHER_TOOL: PollFailure = { kind: 'lost', message: ERRORS.generation_not_found.message };

/**
 * Puts together what the page shows. `query`: what the generation's query knows. Null when the page begins to follow the
 * generation: it then shows the seed alone.
 */
export function describeFollowed<Subject, View extends GenerationView>(
  { kind, policy }: FollowingTool<Subject, View>,
  watch: Watch<Subject>,
  query: GenerationQueryState | null,
): Followed<Subject, View> {
  const known = query?.data?.view ?? null;
  const early = watch.early ?? null;
  // Without a file the outcome is not known yet.
  const end = early && (early.status === 'failed' || early.url !== null) ? early.status : null;
  const view = known?.kind === kind && (!end || isNewer(end, known.status)) ? (known as View) : null;
  const status = view?.status ?? end ?? watch.status ?? 'pending';
  const failures = isFinal(status)
    ? []
    : known && known.kind !== kind
      ? [OF_ANOTHER_TOOL]
      : (query?.data?.failures ?? []);
  const lastFailure = failures.at(-1) ?? null;
  return {
    generationId: watch.generationId,
    origin: watch.origin,
    subject: view ? policy.subjectOf(view) : watch.subject,
    step: findStep(),
    status,
    startedAt: watch.startedAt ?? watch.since,
    pollCount: (watch.pollCount ?? 0) + (query?.data ? query.data.polls - watch.pollsBefore : 0),
    lastPollAt: query?.dataUpdatedAt || (watch.lastPollAt ?? null),
    isAsking: query?.fetchStatus === 'fetching',
    failuresInARow: failures.length,
    lastFailure,
    errors: failures.map(({ message }) => message ?? policy.unansweredText),
    progress: view?.progress ?? watch.progress ?? null,
    view,
    early,
  };

  function findStep(): Step {
    if (isFinal(status)) return status;
    if (lastFailure?.kind === 'lost') return 'critical_error';
    const { maxFailures, limitMs } = POLLING[kind];
    if (failures.length >= maxFailures) return 'error';
    return (query?.dataUpdatedAt ?? 0) - watch.since >= limitMs ? 'timeout' : status;
  }
}

/** Whether the page has stopped polling although the generation may still run. */
export function isStalled(step: Step): step is 'timeout' | 'error' | 'critical_error' {
  return step === 'timeout' || step === 'error' || step === 'critical_error';
}

/** Whether the generation may still be running, as far as the page knows. */
export function isRunning({ status, step }: Pick<Followed<unknown>, 'status' | 'step'>): boolean {
  return !isFinal(status) && step !== 'critical_error';
}

/** Whether the page asks for it without a press. */
export function isAskedByItself({ status, step }: Followed<unknown>): boolean {
  return !isFinal(status) && !isStalled(step);
}

/** What is announced between two looks at a generation that runs. */
export function listNews(before: Followed<unknown>, now: Followed<unknown>): Outcome[] {
  const news: Outcome[] = [];
  // A signed-out person leaves the page.
  const failure = now.lastFailure?.kind === 'signed_out' ? null : now.lastFailure;
  if (failure && before.failuresInARow === 0 && !isStalled(before.step)) news.push({ kind: 'unanswered', failure });
  if (now.step === before.step) return news;
  if (now.step === 'timeout') news.push({ kind: 'timeout' });
  if (now.step === 'error') news.push({ kind: 'gave_up', message: now.errors.at(-1) ?? '' });
  return news;
}

/** Whether it was over already when the page learned of it by a link, as one of the history is. */
export function isOldEnd(before: Followed<unknown>, now: Followed<unknown>): boolean {
  return now.origin === 'link' && before.view === null;
}

export function nameEnd({ status, view, early }: Followed<unknown>): Outcome {
  if (status === 'failed') {
    const failure = view?.failure ?? null;
    if (failure?.code === 'cancelled') return { kind: 'cancelled', message: failure.message };
    return { kind: 'failed', message: failure?.message ?? null };
  }
  const hasFile = view ? view.results.length > 0 : early?.url != null;
  return { kind: hasFile ? 'completed' : 'missing' };
}
