import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { connection, hasConnection } from '#pwa/lib/connection.ts';
import { isConsentRefusal } from '#pwa/lib/document-consent.ts';
import { limitSignal } from '#pwa/lib/limit-signal.ts';
import { onNudge } from '#pwa/lib/nudges.ts';
import { toDeviceTime } from '#pwa/lib/server-clock.ts';
import { createStartIntent, isUncertain, type StartIntent } from '#pwa/lib/start-intent.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import {
  cancelGeneration,
  type GenerationView,
  getGeneration,
  IDEMPOTENCY_KEY_HEADER,
} from '#shared/contract/generations.ts';
import {
  type Effect,
  type Followed,
  initialState,
  type MachineEvent,
  type MachineState,
  type PollFailure,
  type Seed,
} from './followed-generation.ts';
import { advance } from './generation-machine.ts';
import type { GenerationTool, StartRequest } from './generation-tool.ts';

/** A longer request counts as unanswered, so that a dead connection cannot stop the polling. */
const REQUEST_TIMEOUT_MS = 20_000;

export interface ControllerOptions<Form, Subject, View extends GenerationView> {
  userId: number;
  /** A function, because the tool may change while the page is open: its texts follow what the server makes. */
  tool: () => GenerationTool<Form, Subject, View>;
  /** Handles effects other than those on the device's record. */
  onEffect: (effect: Effect<Subject, View>) => void;
  /** The start was answered with success. */
  onStarted: (request: StartRequest<Form>) => void;
  /** The start got no answer or was refused. */
  onStartFailed: (error: unknown, request: StartRequest<Form>) => void;
}

export interface ToolController<Form, Subject, View extends GenerationView> {
  get: () => MachineState<Subject, View>;
  /** Calls the listener on every change. Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
  /** Reads the device's record, and listens to the network, the server's nudges and the tab becoming visible. */
  open: () => void;
  /** For leaving the page: stops polling, showing and storing. The generation itself runs on. */
  close: () => void;
  /** Passes on this tool's running generation from the server's list. */
  noteListed: (running: Seed<Subject> | null) => void;
  start: (request: StartRequest<Form>) => Promise<void>;
  /** Follows a generation by its id: from a link, or one that was started elsewhere. */
  show: (generationId: string, origin: 'start' | 'link') => void;
  checkAgain: () => void;
  cancel: () => Promise<void>;
  /** Drops an ended generation. A running one stays. */
  release: () => void;
}

/** Runs the machine with the real clock, API and storage, for one generation at a time. */
export function createToolController<Form, Subject, View extends GenerationView>(
  options: ControllerOptions<Form, Subject, View>,
): ToolController<Form, Subject, View> {
  const { userId } = options;
  const intent = createStartIntent();
  const listeners = new Set<() => void>();
  let state: MachineState<Subject, View> = initialState(hasConnection());
  let closing: AbortController | null = null;
  const record = createRecordWriter(options);
  const asker = createAsker<Subject, View>(() => options.tool().kind, dispatch);

  function dispatch(event: MachineEvent<Subject, View>): void {
    if (!closing) return;
    const { state: next, effects } = advance(options.tool().policy, state, event);
    const hasChanged = next !== state;
    state = next;
    if (hasChanged) asker.plan(state.followed);
    for (const effect of effects) {
      record.follow(effect);
      options.onEffect(effect);
    }
    if (hasChanged) for (const listener of listeners) listener();
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open() {
      const own = new AbortController();
      closing = own;
      listenToWorld(dispatch, own.signal);
      dispatch(hasConnection() ? { type: 'came_online', at: Date.now() } : { type: 'went_offline' });
      const { record: stored } = options.tool();
      void stored
        .read(userId)
        .catch(() => null)
        .then((saved) => {
          if (!own.signal.aborted) dispatch({ type: 'restored', at: Date.now(), saved });
        });
    },
    close() {
      closing?.abort();
      closing = null;
      asker.stop();
      state = initialState(hasConnection());
    },
    noteListed: (running) => dispatch({ type: 'listed', at: Date.now(), running }),
    async start(request) {
      if (state.isStarting) return;
      dispatch({ type: 'start_sent' });
      await sendStart(options, { intent, request, dispatch });
    },
    show(generationId, origin) {
      const seed = { generationId, subject: options.tool().unknownSubject, startedAt: null };
      dispatch({ type: 'follow', at: Date.now(), seed, origin });
    },
    checkAgain: () => dispatch({ type: 'check_requested', at: Date.now() }),
    async cancel() {
      const id = state.followed?.generationId;
      if (id === undefined || state.cancelling !== null) return;
      dispatch({ type: 'cancel_sent', id });
      dispatch(await askToCancel(id));
    },
    release: () => dispatch({ type: 'released' }),
  };
}

/** Polls when it is due, one request at a time. Aborts a request about a generation that is no longer followed. */
function createAsker<Subject, View extends GenerationView>(
  kind: () => View['kind'],
  dispatch: (event: MachineEvent<Subject, View>) => void,
) {
  let question: { id: string; abort: AbortController } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function abandon(): void {
    question?.abort.abort();
    question = null;
  }

  async function ask(id: string): Promise<void> {
    const own = { id, abort: new AbortController() };
    question = own;
    dispatch({ type: 'asked', id });
    const event = await askAbout<Subject, View>(id, kind(), own.abort.signal);
    if (question !== own) return;
    question = null;
    dispatch(event);
  }

  return {
    plan(followed: Followed<Subject, View> | null): void {
      clearTimeout(timer);
      if (question && question.id !== followed?.generationId) abandon();
      if (followed?.nextPollAt == null || question) return;
      timer = setTimeout(ask, Math.max(0, followed.nextPollAt - Date.now()), followed.generationId);
    },
    stop(): void {
      clearTimeout(timer);
      abandon();
    },
  };
}

/** Sends a start. A repeat after a lost answer has the same Idempotency-Key. */
async function sendStart<Form, Subject, View extends GenerationView>(
  { tool: currentTool, onStarted, onStartFailed }: ControllerOptions<Form, Subject, View>,
  { intent, request, dispatch }: SentStart<Form, Subject, View>,
): Promise<void> {
  const tool = currentTool();
  try {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(tool.toBody(request)) };
    const { generationId, early = null } = await tool.send(request, { headers });
    intent.settle();
    const seed = { generationId, subject: tool.subjectOfStart(request), startedAt: Date.now(), early };
    onStarted(request);
    dispatch({ type: 'follow', at: Date.now(), seed, origin: 'start' });
  } catch (error) {
    const { status, code } = error instanceof ApiError ? error : { status: 0, code: null };
    const mayHaveStarted = isUncertain(status);
    // After the consent the same intention goes on.
    if (!mayHaveStarted && !isConsentRefusal(code)) intent.settle();
    // The next list finds what runs: this generation or one from elsewhere.
    const mayRun = mayHaveStarted || code === 'active_generation';
    dispatch({ type: 'start_failed', mayRun });
    onStartFailed(error, request);
  }
}

interface SentStart<Form, Subject, View extends GenerationView> {
  intent: StartIntent;
  request: StartRequest<Form>;
  dispatch: (event: MachineEvent<Subject, View>) => void;
}

/** Keeps the device's record up to date, with one write after another and none that changes nothing. */
function createRecordWriter<Form, Subject, View extends GenerationView>({
  userId,
  tool,
}: ControllerOptions<Form, Subject, View>) {
  let written: string | null = null;
  let writing = Promise.resolve();
  const queue = (write: () => Promise<void>) => {
    const next = writing.then(write);
    ignoreFailure(next);
    writing = next.catch(() => undefined);
  };
  return {
    follow(effect: Effect<Subject, View>): void {
      const { record } = tool();
      if (effect.type === 'forget') {
        written = null;
        queue(() => record.forget(userId));
      }
      if (effect.type !== 'save') return;
      const values = record.encode(effect.followed, Date.now());
      const text = JSON.stringify(values);
      if (text === written) return;
      written = text;
      queue(() => record.write(userId, values));
    },
  };
}

/** Listens to the network, the server's nudges and the tab becoming visible, until `signal` is aborted. */
function listenToWorld(dispatch: (event: MachineEvent<never, never>) => void, signal: AbortSignal): void {
  const stopListening = connection.subscribe(() =>
    dispatch(hasConnection() ? { type: 'came_online', at: Date.now() } : { type: 'went_offline' }),
  );
  const stopNudges = onNudge(({ event, id }) => {
    if (event === 'gap') dispatch({ type: 'nudged', at: Date.now(), id: null });
    if (event === 'generation' && id !== undefined) dispatch({ type: 'nudged', at: Date.now(), id });
  });
  const onReturn = () => {
    if (document.visibilityState === 'visible') dispatch({ type: 'returned', at: Date.now() });
  };
  addEventListener('focus', onReturn, { signal });
  document.addEventListener('visibilitychange', onReturn, { signal });
  signal.addEventListener('abort', () => {
    stopListening();
    stopNudges();
  });
}

async function askAbout<Subject, View extends GenerationView>(
  id: string,
  kind: View['kind'],
  signal: AbortSignal,
): Promise<MachineEvent<Subject, View>> {
  try {
    const limited = limitSignal(signal, REQUEST_TIMEOUT_MS);
    const view = await callApi(getGeneration, { params: { id } }, { signal: limited });
    const at = Date.now();
    // A generation of another tool is unknown to this page.
    if (view.kind !== kind) {
      const message = ERRORS.generation_not_found.message;
      return { type: 'unanswered', at, id, failure: { kind: 'lost', message } };
    }
    return { type: 'answered', at, view: view as View, startedAt: toDeviceTime(view.createdAt) };
  } catch (error) {
    return { type: 'unanswered', at: Date.now(), id, failure: classifyPollFailure(error) };
  }
}

/** What a failed poll means for the following. */
function classifyPollFailure(error: unknown): PollFailure {
  if (!(error instanceof ApiError) || error.status === 0) return { kind: 'network', message: null };
  const message = error.serverMessage;
  if (error.status === 503) return { kind: 'unavailable', message };
  if (error.status === 401) return { kind: 'signed_out', message };
  return { kind: [403, 404, 410].includes(error.status) ? 'lost' : 'server', message };
}

async function askToCancel(id: string): Promise<MachineEvent<never, never>> {
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const { outcome, message } = await callApi(cancelGeneration, { params: { id } }, { signal });
    return { type: 'cancel_answered', at: Date.now(), id, outcome, message };
  } catch (error) {
    return { type: 'cancel_failed', at: Date.now(), id, message: describeError(error, 'Попробуйте ещё раз') };
  }
}
