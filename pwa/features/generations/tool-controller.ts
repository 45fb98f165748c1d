import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { createStartIntent, isUncertain } from '#pwa/client/start-intent.ts';
import { connection, hasConnection } from '#pwa/device/connection.ts';
import { toDeviceTime } from '#pwa/device/server-clock.ts';
import { createStore, type Store } from '#pwa/device/store.ts';
import { cancelGeneration, type GenerationView, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { createRecordWriter, type RecordWriter } from './device-record.ts';
import {
  describeFollowed,
  type Followed,
  isAskedByItself,
  isOldEnd,
  isRunning,
  isStalled,
  listNews,
  nameEnd,
  type Origin,
  type Outcome,
  type Seed,
  type Watch,
} from './followed-generation.ts';
import { countPolls, forgetFailures, type KnownGeneration } from './generation-query.ts';
import type { GenerationTool, StartRequest } from './generation-tool.ts';
import { watchedQuery } from './watched-query.ts';

const CANCEL_TIMEOUT_MS = 20_000;

export interface ControllerOptions<Form, Subject, View extends GenerationView> {
  userId: number;
  queryClient: QueryClient;
  /** A function, because the tool may change while the page is open: its texts follow what the server makes. */
  tool: () => GenerationTool<Form, Subject, View>;
  /** Show this generation: it was started, found or requested. */
  onPresent: (followed: Followed<Subject, View>) => void;
  onOutcome: (outcome: Outcome, followed: Followed<Subject, View> | null) => void;
  /** The result of an end that was announced before, or was over when a link opened it. It is shown without a word. */
  onLateResult: (followed: Followed<Subject, View>) => void;
  /** The balance and the lists of results have changed. */
  onChanged: () => void;
  onStarted: (request: StartRequest<Form>) => void;
  onStartFailed: (error: unknown, request: StartRequest<Form>) => void;
}

export interface ToolState<Subject, View extends GenerationView = GenerationView> {
  /** The running or ended generation as its query tells it; null while there is nothing to show. */
  followed: Followed<Subject, View> | null;
  /** False until the device's record has been read. */
  isRestored: boolean;
  /** Whether the server has listed the running generations since then. */
  isListed: boolean;
  isStarting: boolean;
  /** The generation whose cancellation is not answered yet. */
  cancelling: string | null;
}

const NOTHING_FOLLOWED: ToolState<never, never> = {
  followed: null,
  isRestored: false,
  isListed: false,
  isStarting: false,
  cancelling: null,
};

/**
 * Keeps which generation a tool's page follows and what the person has asked of it, announces what becomes of it, and
 * stores it on the device. What the server says of it stays in its query.
 */
export class ToolController<Form, Subject, View extends GenerationView> {
  readonly state: Store<ToolState<Subject, View>> = createStore<ToolState<Subject, View>>(NOTHING_FOLLOWED);
  readonly #options: ControllerOptions<Form, Subject, View>;
  readonly #intent = createStartIntent();
  readonly #record: RecordWriter<Subject>;
  /** Every generation that the page has followed. A list requested before an end must not bring one of them back. */
  readonly #known = new Set<string>();
  readonly #announced = new Set<string>();
  #watch: Watch<Subject> | null = null;
  #observer: QueryObserver<KnownGeneration, Error, KnownGeneration, KnownGeneration, string[]> | null = null;
  /** Null while the page is not open. */
  #closing: AbortController | null = null;

  constructor(options: ControllerOptions<Form, Subject, View>) {
    this.#options = options;
    this.#record = createRecordWriter(options.tool().record, options.userId);
  }

  get #tool(): GenerationTool<Form, Subject, View> {
    return this.#options.tool();
  }

  /** Reads the device's record. */
  open(): void {
    const own = new AbortController();
    this.#closing = own;
    const stopListening = connection.subscribe(() => {
      // Recomputes when to ask next.
      if (this.#watch) this.#observer?.setOptions(watchedQuery(this.#tool, this.#watch));
    });
    own.signal.addEventListener('abort', stopListening);
    void this.#tool.record
      .read(this.#options.userId)
      .catch(() => null)
      .then((saved) => {
        if (!own.signal.aborted) this.#restore(saved);
      });
  }

  /** For leaving the page: stops asking, showing and storing. The generation itself runs on. */
  close(): void {
    this.#closing?.abort();
    this.#closing = null;
    this.#stopWatching();
    this.state.set(NOTHING_FOLLOWED);
  }

  /** Passes on this tool's running generation from the server's list. */
  noteListed(running: Seed<Subject> | null): void {
    const { followed, isStarting, isListed } = this.state.get();
    // A list requested during a start may name the generation that the answer to the start will name.
    if (!this.#closing || isStarting) return;
    this.#change({ isListed: true });
    if (!running || (isListed && !this.#tool.policy.joinsLater)) return;
    if (this.#known.has(running.generationId) || this.#isTooOld(running)) return;
    // The list is newer than the record. What the person has started or requested stays.
    if (followed && isRunning(followed) && followed.origin !== 'record') return;
    this.#follow(running, 'server');
  }

  async start(request: StartRequest<Form>): Promise<void> {
    const own = this.#closing;
    if (!own || this.state.get().isStarting) return;
    const tool = this.#tool;
    this.#change({ isStarting: true });
    try {
      // A repeat after a lost answer has the same key.
      const headers = { [IDEMPOTENCY_KEY_HEADER]: this.#intent.keyFor(tool.toBody(request)) };
      const { generationId, early = null } = await tool.send(request, { headers });
      this.#intent.settle();
      this.#options.onStarted(request);
      if (own.signal.aborted) return;
      this.#change({ isStarting: false });
      this.#show({ generationId, subject: tool.subjectOfStart(request), startedAt: Date.now(), early }, 'start');
    } catch (error) {
      const { status, code } = error instanceof ApiError ? error : { status: 0, code: null };
      const mayHaveStarted = isUncertain(status);
      // After the consent the same intention goes on.
      if (!mayHaveStarted && !isConsentRefusal(code)) this.#intent.settle();
      // The next list finds what runs: this generation or one from elsewhere.
      const mayRun = mayHaveStarted || code === 'active_generation';
      if (!own.signal.aborted) this.#change({ isStarting: false, isListed: this.state.get().isListed && !mayRun });
      this.#options.onStartFailed(error, request);
    }
  }

  /** Follows a generation by its id: from a link, or one that was started elsewhere. */
  show(generationId: string, origin: 'start' | 'link'): void {
    if (this.#closing) this.#show({ generationId, subject: this.#tool.unknownSubject, startedAt: null }, origin);
  }

  /** The person asks for the state now, whatever the pause. */
  checkAgain(): void {
    const { followed } = this.state.get();
    if (!this.#watch || !followed || isFinal(followed.status)) return;
    if (isStalled(followed.step)) this.#watch.since = Date.now();
    forgetFailures(this.#options.queryClient, followed.generationId);
    this.#look();
    this.#askNow();
  }

  async cancel(): Promise<void> {
    const own = this.#closing;
    const watch = this.#watch;
    if (!own || !watch || this.state.get().cancelling !== null) return;
    const { generationId } = watch;
    this.#change({ cancelling: generationId });
    const { outcome, message } = await askToCancel(generationId);
    if (own.signal.aborted) return;
    const { followed, cancelling } = this.state.get();
    if (cancelling === generationId) this.#change({ cancelling: null });
    const isShown = this.#watch === watch;
    if (outcome === 'cancelled') {
      if (isShown) this.#leave();
      else this.#options.onChanged();
      this.#announceEnd(generationId, { kind: 'cancelled', message }, isShown ? followed : null);
      return;
    }
    if (outcome === 'runs_on' && isShown && this.#tool.policy.whenItRunsOn === 'release') this.#leave();
    this.#options.onOutcome({ kind: outcome, message }, this.state.get().followed);
    // It may have ended before the cancellation.
    this.#look();
    this.#askNow();
  }

  /** Drops an ended generation. A running one stays. */
  release(): void {
    const { followed } = this.state.get();
    if (followed && !isRunning(followed)) this.#leave();
  }

  #change(part: Partial<ToolState<Subject, View>>): void {
    this.state.set({ ...this.state.get(), ...part });
  }

  /** Restores the device's record, unless the person has started something by then. */
  #restore(saved: Seed<Subject> | null): void {
    if (saved && !this.#watch) {
      if (this.#isTooOld(saved)) this.#record.forget();
      else this.#follow(saved, 'record');
    }
    this.#change({ isRestored: true });
  }

  #isTooOld({ startedAt }: Seed<Subject>): boolean {
    return startedAt !== null && Date.now() - startedAt >= this.#tool.policy.restoreMs;
  }

  #show(seed: Seed<Subject>, origin: 'start' | 'link'): void {
    const { followed } = this.state.get();
    const isShown = followed?.generationId === seed.generationId && followed.step !== 'critical_error';
    if (isShown) this.#options.onPresent(followed);
    else this.#follow(seed, origin);
  }

  #follow(seed: Seed<Subject>, origin: Origin): void {
    const { queryClient, onPresent, onOutcome } = this.#options;
    this.#stopWatching();
    this.#known.add(seed.generationId);
    forgetFailures(queryClient, seed.generationId);
    const watch = { ...seed, origin, since: Date.now(), pollsBefore: countPolls(queryClient, seed.generationId) };
    this.#watch = watch;
    const followed = describeFollowed(this.#tool, { ...watch, early: null }, null);
    this.#change({ followed, cancelling: null });
    this.#record.save(followed);
    onPresent(followed);
    if (origin === 'record' || origin === 'server') onOutcome({ kind: 'resumed' }, followed);
    // The page may show something else by now.
    if (this.#watch !== watch) return;
    this.#observer = new QueryObserver(queryClient, watchedQuery(this.#tool, watch));
    this.#observer.subscribe(() => this.#look());
    this.#look();
  }

  /** Compares what the query knows with what was shown, and announces the difference. */
  #look(): void {
    const before = this.state.get().followed;
    if (!this.#watch || !this.#observer || !before) return;
    const { state } = this.#observer.getCurrentQuery();
    // Kept, because the difference between the clocks is measured anew with each answer.
    if (state.data?.view) this.#watch.startedAt ??= toDeviceTime(state.data.view.createdAt);
    const now = describeFollowed(this.#tool, this.#watch, state);
    if (isFinal(now.status) && !isFinal(before.status)) {
      // It has just ended. While it is being cancelled, the answer to the cancellation is announced instead.
      if (this.state.get().cancelling !== now.generationId) this.#end(now, isOldEnd(before, now));
      return;
    }
    this.#change({ followed: now });
    if (isFinal(now.status)) {
      // It had ended before. A failed one may still turn into a result.
      if (now.status !== before.status) this.#takeLateResult(now);
    } else if (now.step === 'critical_error') {
      // The server does not know it. This is announced once.
      if (before.step !== 'critical_error') this.#lose(now);
    } else {
      // It runs, as far as the page knows: the record and the announcements follow the polls.
      // Nothing more is stored for a signed-out person.
      if (now.pollCount !== before.pollCount && now.lastFailure?.kind !== 'signed_out') this.#record.save(now);
      for (const outcome of listNews(before, now)) this.#options.onOutcome(outcome, now);
    }
  }

  /** `isOld`: nothing is announced but why the page shows nothing. */
  #end(followed: Followed<Subject, View>, isOld: boolean): void {
    const outcome = nameEnd(followed);
    const isCancelled = outcome.kind === 'cancelled';
    if (isCancelled) this.#stopWatching();
    this.#change({ followed: isCancelled ? null : followed, cancelling: null });
    this.#record.forget();
    if (isOld && !isCancelled) {
      this.#announced.add(followed.generationId);
      if (outcome.kind === 'completed') this.#takeLateResult(followed);
      return;
    }
    this.#options.onChanged();
    this.#announceEnd(followed.generationId, outcome, followed);
  }

  /** Each end is announced once. */
  #announceEnd(id: string, outcome: Outcome, followed: Followed<Subject, View> | null): void {
    if (this.#announced.has(id)) return;
    this.#announced.add(id);
    this.#options.onOutcome(outcome, followed);
  }

  #takeLateResult(followed: Followed<Subject, View>): void {
    this.#options.onChanged();
    this.#options.onLateResult(followed);
  }

  #lose(followed: Followed<Subject, View>): void {
    if (this.#tool.policy.whenLost === 'show') this.#record.save(followed);
    else this.#leave();
    this.#options.onOutcome({ kind: 'lost', message: followed.errors.at(-1) ?? '' }, followed);
  }

  /** Gives way to the form. */
  #leave(): void {
    this.#stopWatching();
    this.#change({ followed: null, cancelling: null });
    this.#record.forget();
    this.#options.onChanged();
  }

  #stopWatching(): void {
    this.#watch = null;
    this.#observer?.destroy();
    this.#observer = null;
  }

  #askNow(): void {
    const { followed } = this.state.get();
    if (followed && isAskedByItself(followed) && hasConnection()) void this.#observer?.refetch();
  }
}

async function askToCancel(
  id: string,
): Promise<{ outcome: 'cancelled' | 'runs_on' | 'cancel_failed'; message: string }> {
  try {
    const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
    return await callApi(cancelGeneration, { params: { id } }, { signal });
  } catch (error) {
    return { outcome: 'cancel_failed', message: describeError(error, 'Попробуйте ещё раз') };
  }
}
