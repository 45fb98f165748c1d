import { environmentManager, focusManager, notifyManager, onlineManager } from '@tanstack/react-query';
import { vi } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { connection } from '#pwa/device/connection.ts';
import { measureClockSkew } from '#pwa/device/server-clock.ts';
import type { Followed, FollowPolicy, Outcome, Seed } from '#pwa/features/generations/followed-generation.ts';
import type { GenerationTool, Started } from '#pwa/features/generations/generation-tool.ts';
import { ToolController } from '#pwa/features/generations/tool-controller.ts';
import { type GenerationView, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import {
  GENERATION_FAILURES,
  type GenerationFailureCode,
  type GenerationStatus,
} from '#shared/rules/generation-lifecycle.ts';
import { PHOTO, sampleGeneration, sampleResult } from '#tests/pwa/support/samples.ts';

export const START = Date.parse('2026-11-21T12:00:00Z');
export const MINUTE_MS = 60_000;

/** The subject of the tests' generations. */
export type Subject = string;
export type Kind = 'video' | 'model_change';

/** A video is asked for patiently and fills a strip; a picture is asked for steadily, in the middle of a form. */
const POLICIES: Record<Kind, Omit<FollowPolicy<Subject, GenerationView>, 'subjectOf' | 'unansweredText'>> = {
  video: { restoreMs: 120 * MINUTE_MS, whenLost: 'show', whenItRunsOn: 'follow', joinsLater: true },
  model_change: { restoreMs: 120 * MINUTE_MS, whenLost: 'release', whenItRunsOn: 'release', joinsLater: false },
};

export interface ServerAnswer {
  id: string;
  status: GenerationStatus;
  failureCode?: GenerationFailureCode | undefined;
  /** Another tool's. */
  kind?: Kind;
  /** Files that are ready. */
  files?: number;
}

/** Why a question is not answered. */
export type Failure = 'network' | 'unavailable' | 'server' | 'signed_out' | 'lost' | 'foreign';
const STATUS_OF: Record<Exclude<Failure, 'network'>, number> = {
  unavailable: 503,
  server: 500,
  signed_out: 401,
  lost: 404,
  foreign: 403,
};

interface Question {
  id: string;
  answer: (response: Response | null) => void;
}

export function seedOf(generationId: string, more: Partial<Seed<Subject>> = {}): Seed<Subject> {
  return { generationId, subject: 'по устройству', startedAt: START, ...more };
}

function viewOf(kind: Kind, { id, status, failureCode = 'engine_error', files }: ServerAnswer): GenerationView {
  const count = files ?? (status === 'completed' ? 1 : 0);
  return sampleGeneration(kind, {
    id,
    status,
    createdAt: new Date(START).toISOString(),
    photos: [],
    progress: {
      share: 0.5,
      startedAt: new Date(START).toISOString(),
      finishedAt: null,
      expectedSeconds: null,
      isRemote: false,
    },
    failure: status === 'failed' ? { code: failureCode, message: GENERATION_FAILURES[failureCode] } : null,
    results: Array.from({ length: count }, (_, position) => sampleResult({ id: `${id}-${position}`, position })),
  });
}

/** Time stands still but for `pass`. The tests of a file share the clock, the network and the query library. */
export function stopTime(): void {
  vi.useFakeTimers({ now: START, toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  notifyManager.setScheduler(queueMicrotask);
  // Without a window the query library takes this for a server, where nothing is asked again.
  environmentManager.setIsServer(() => false);
  for (const level of ['warn', 'debug', 'info'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
}

export function letTimeGoOn(): void {
  notifyManager.setScheduler((callback) => setTimeout(callback, 0));
  measureClockSkew(new Date(0).toUTCString(), 0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** The page of one tool: the real controller and queries, with a server that answers when the test says so. */
export function openPage(kind: Kind = 'video') {
  connection.set(true);
  onlineManager.setOnline(true);
  const queryClient = createQueryClient();
  queryClient.mount();
  const questions: Question[] = [];
  const asked: { id: string; at: number }[] = [];
  const announced: { outcome: Outcome; id: string | null }[] = [];
  const log: string[] = [];
  /** The Idempotency-Keys of the starts that were sent. */
  const startKeys: (string | undefined)[] = [];
  let cancels = 0;
  let presented: Followed<Subject> | null = null;
  let saved: Seed<Subject> | null = null;
  let starting: { resolve: (started: Started) => void; reject: (error: unknown) => void };
  let answerCancel: (response: Response | null) => void = () => undefined;

  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
    return new Promise<Response>((resolve, reject) => {
      const answer = (response: Response | null) =>
        response ? resolve(response) : reject(new TypeError('no network'));
      if (url.endsWith('/cancel')) {
        cancels += 1;
        answerCancel = answer;
        return;
      }
      const question = { id: url.slice(url.lastIndexOf('/') + 1), answer };
      questions.push(question);
      asked.push({ id: question.id, at: Date.now() });
      signal?.addEventListener('abort', () => {
        questions.splice(questions.indexOf(question), 1);
        reject(signal.reason);
      });
    });
  });

  const tool: GenerationTool<null, Subject, GenerationView> = {
    kind,
    policy: { ...POLICIES[kind], unansweredText: 'Ошибка опроса статуса', subjectOf: ({ id }) => `по ответу ${id}` },
    record: {
      encode: ({ generationId, step, pollCount }) => ({ generationId, step, pollCount }),
      read: async () => saved,
      write: async (_, { generationId, step }) => void log.push(`save ${generationId} ${step}`),
      forget: async () => void log.push('forget'),
    },
    unknownSubject: 'неизвестно',
    subjectOfStart: () => 'по устройству',
    subjectOfActive: () => 'по списку',
    toBody: ({ photo }) => ({ imageId: photo.id }),
    send: (_request, { headers }) => {
      startKeys.push(headers[IDEMPOTENCY_KEY_HEADER]);
      return new Promise((resolve, reject) => {
        starting = { resolve, reject };
      });
    },
    consent: () => {
      throw new Error('nothing is agreed to for later here');
    },
    toOrder: () => {
      throw new Error('nothing is put in line here');
    },
    describeOutcome: () => ({}),
    startFailedText: '',
    startFailedTitle: '',
    startErrorType: '',
  };
  const controller = new ToolController<null, Subject, GenerationView>({
    userId: 7,
    queryClient,
    tool: () => tool,
    onPresent: (followed) => {
      presented = followed;
    },
    onOutcome: (outcome, followed) => {
      log.push(`tell ${outcome.kind}`);
      announced.push({ outcome, id: followed?.generationId ?? null });
    },
    onLateResult: () => log.push('reveal'),
    onChanged: () => log.push('refresh'),
    onStarted: () => undefined,
    onStartFailed: () => log.push('start failed'),
  });

  const settle = () => vi.advanceTimersByTimeAsync(0);
  const followed = () => controller.state.get().followed;
  /** Answers the question about this generation, which the server's event brings about unless it is under way. */
  async function reply(id: string, response: Response | null): Promise<void> {
    const find = () => questions.find((question) => question.id === id);
    if (!find()) await page.announceEvent();
    const question = find();
    if (!question) return;
    questions.splice(questions.indexOf(question), 1);
    question.answer(response);
    await settle();
  }

  const page = {
    controller,
    queryClient,
    startKeys,
    /** How many cancellations were sent. */
    countCancels: () => cancels,
    get state() {
      return controller.state.get();
    },
    get followed() {
      return followed();
    },
    get presented() {
      return presented;
    },
    /** What was stored, refreshed, shown and announced, in order. */
    get log(): readonly string[] {
      return log;
    },
    /** The announcements in order. */
    get announced(): Outcome[] {
      return announced.map(({ outcome }) => outcome);
    },
    get toldKinds(): string[] {
      return announced.map(({ outcome }) => outcome.kind);
    },
    /** The ends that were announced of a generation. */
    endsOf(id: string): string[] {
      const ends = ['completed', 'missing', 'failed', 'cancelled'];
      return announced
        .filter((one) => one.id === id && ends.includes(one.outcome.kind))
        .map(({ outcome }) => outcome.kind);
    },
    /** When the page has asked about a generation, in milliseconds since it was opened. */
    askedAt: (id = 'g1') => asked.filter((question) => question.id === id).map(({ at }) => at - START),
    isAsking: (id: string) => questions.some((question) => question.id === id),
    /** Whether another question is planned. */
    isDue(id: string): boolean {
      const query = queryClient.getQueryCache().find({ queryKey: [...QUERY_KEYS.generation, id] });
      return (query?.observers ?? []).some(({ options: { refetchInterval } }) => {
        return typeof refetchInterval === 'function' && query !== undefined && refetchInterval(query) !== false;
      });
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    async open(record: Seed<Subject> | null = null) {
      saved = record;
      controller.open();
      await settle();
    },
    /** Sends a start and does not answer it yet. */
    async sendStart(photo = PHOTO) {
      void controller.start({ photo, form: null });
      await settle();
    },
    async answerStart(generationId: string, early: Started['early'] = null) {
      starting.resolve({ generationId, early });
      await settle();
    },
    async refuseStart(mayRun: boolean) {
      starting.reject(mayRun ? new ApiError(0, '') : new ApiError(422, '', { code: 'invalid_request' }));
      await settle();
    },
    async start(id: string, early: Started['early'] = null) {
      await page.sendStart();
      await page.answerStart(id, early);
    },
    async link(id: string, origin: 'link' | 'start' = 'link') {
      controller.show(id, origin);
      await settle();
    },
    async list(id: string | null) {
      controller.noteListed(id === null ? null : seedOf(id, { subject: 'по списку' }));
      await settle();
    },
    answer: (id: string, status: GenerationStatus, more: Partial<ServerAnswer> = {}) =>
      reply(id, Response.json(viewOf(more.kind ?? kind, { id, status, ...more }))),
    fail(id: string, why: Failure = 'network', words: string | null = null) {
      const body = words === null ? {} : { code: 'unavailable', message: words };
      return reply(id, why === 'network' ? null : Response.json(body, { status: STATUS_OF[why] }));
    },
    /** The server reports a change. */
    async announceEvent() {
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.generation });
      await settle();
    },
    async check() {
      controller.checkAgain();
      await settle();
    },
    async cancel() {
      void controller.cancel();
      await settle();
    },
    /** Null: the cancellation came too late. */
    async answerCancel(outcome: 'cancelled' | 'runs_on' | null, message = 'Остановлена') {
      const refused = { code: 'generation_finished', message: 'Генерация уже завершена' };
      answerCancel(outcome ? Response.json({ outcome, message }) : Response.json(refused, { status: 409 }));
      await settle();
    },
    async loseCancel() {
      answerCancel(null);
      await settle();
    },
    async release() {
      controller.release();
      await settle();
    },
    async goOffline() {
      connection.set(false);
      onlineManager.setOnline(false);
      await settle();
    },
    async goOnline() {
      connection.set(true);
      onlineManager.setOnline(true);
      await settle();
    },
    /** The tab is visible again. */
    async comeBack() {
      focusManager.onFocus();
      await settle();
    },
    close() {
      controller.close();
      queryClient.unmount();
      queryClient.clear();
    },
  };
  return page;
}
