import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { CHANGED_BY, QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { logOutcome } from '#pwa/device/log.ts';
import { announceInTitle } from '#pwa/device/page-title.ts';
import { toDeviceTime } from '#pwa/device/server-clock.ts';
import { useStore } from '#pwa/device/store.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { afterConsent, askAfterRefusal } from '#pwa/features/consent/document-consent.ts';
import { pageLocation, trackEvent } from '#pwa/features/consent/tag-manager.ts';
import { noteRefusal, useIsAbroad } from '#pwa/features/tools/tool-offer.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { type ActiveGenerations, activeGenerationsQuery } from './active-generations-query.ts';
import { noteResult } from './first-result.ts';
import { type Followed, isRunning, type Outcome, type Seed } from './followed-generation.ts';
import type { GenerationTool, OutcomeMessage, StartRequest } from './generation-tool.ts';
import { ToolController } from './tool-controller.ts';
import { useQueue } from './use-queue.ts';
import { type StartLater, useStartLater } from './use-start-later.ts';

/** Lifecycle events that concern a tool's form. The latest listeners are called. */
export interface ToolListeners<Form, Subject, View extends GenerationView> {
  /** Show this generation, and perhaps fill the form with what it is made from. */
  onPresent?: (followed: Followed<Subject, View>) => void;
  /** The generation has completed. `isLate`: it is no news. */
  onCompleted?: (followed: Followed<Subject, View>, isLate: boolean) => void;
  onStarted?: (request: StartRequest<Form>) => void;
  /** What was ordered stands in line. */
  onQueued: (request: StartRequest<Form>) => void;
  /** The server refused the start. `error` is null for a start that was agreed to for later. */
  onRefused?: (refusal: { code: string | null; error: ApiError | null }) => void;
  /** The photo that waited on the device has been uploaded. */
  onPhoto: (photo: UploadedPhoto) => void;
  /** The photo of the product as the server knows it since the start, which accepts a guess of its article. */
  onSource: (photo: UploadedPhoto) => void;
}

export interface GenerationControl<Form, Subject, View extends GenerationView> {
  /** False until the device's record has been read. */
  isRestored: boolean;
  /** The running or ended generation; null while there is nothing to show. */
  followed: Followed<Subject, View> | null;
  isRunning: boolean;
  isOnline: boolean;
  isStarting: boolean;
  isCancelling: boolean;
  isQueueing: boolean;
  /**
   * Whether the followed generation takes the place of the form; otherwise a strip offers it. What another door has
   * started while the page was open does not take the form away.
   */
  isAttached: boolean;
  attach: () => void;
  /** Gives way to the form: drops an ended generation that was shown. One that runs, or was not seen, stays. */
  giveWay: () => void;
  /** Starts it, or puts it in line behind the one that runs. */
  order: (request: StartRequest<Form>) => void;
  later: StartLater;
  /** Agrees to start the current choice when there is a connection. */
  startLater: (form: Form, photo: UploadedPhoto | null) => void;
  /** Shows a generation by its id, running or ended. */
  show: (generationId: string) => void;
  checkAgain: () => void;
  cancel: () => void;
  /** Drops an ended generation. A running one stays. */
  release: () => void;
}

/**
 * The lifecycle of a tool in its page: start, restore, follow, cancel, late results, work without a network, and
 * announcements.
 */
export function useGenerationTool<Form, Subject, View extends GenerationView>(
  tool: GenerationTool<Form, Subject, View>,
  userId: number,
  listeners: ToolListeners<Form, Subject, View>,
): GenerationControl<Form, Subject, View> {
  const queryClient = useQueryClient();
  const refresh = (queryKey: readonly string[]) => void queryClient.invalidateQueries({ queryKey });
  const current = useRef({ tool, listeners });
  current.current = { tool, listeners };
  const [isAttached, setIsAttached] = useState(false);
  function takeRefusal(error: ApiError): void {
    noteRefusal(queryClient, tool.kind, error);
    current.current.listeners.onRefused?.({ code: error.code, error });
    refresh(QUERY_KEYS.starBalance);
  }

  const [controller] = useState(
    () =>
      new ToolController<Form, Subject, View>({
        userId,
        queryClient,
        tool: () => current.current.tool,
        onPresent(followed) {
          setIsAttached(followed.origin !== 'server' || !tool.policy.joinsLater);
          current.current.listeners.onPresent?.(followed);
        },
        onLateResult: (followed) => current.current.listeners.onCompleted?.(followed, true),
        onChanged: () => CHANGED_BY.end.forEach(refresh),
        onOutcome: (outcome, followed) => {
          const latest = current.current;
          announceOutcome(latest.tool, outcome, followed);
          if (outcome.kind === 'completed' && followed) latest.listeners.onCompleted?.(followed, false);
          // Its original is still there, and offers the re-roll again.
          const original = followed?.view?.rerollOf;
          if (outcome.kind === 'cancelled' && original) controller.show(original, 'link');
        },
        onStarted: (request) => {
          current.current.listeners.onStarted?.(request);
          CHANGED_BY.start.forEach(refresh);
        },
        onStartFailed: (error, request) => {
          const { code, details } = error instanceof ApiError ? error : { code: null, details: {} };
          if (isConsentRefusal(code)) return askAfterRefusal(queryClient, code, () => void controller.start(request));
          announce(describeFailedStart(current.current.tool, error));
          refresh(QUERY_KEYS.activeGenerations);
          // Another door has started a generation: it is shown.
          if (code === 'active_generation' && details.generationId) controller.show(details.generationId, 'start');
          if (error instanceof ApiError) takeRefusal(error);
        },
      }),
  );
  const state = useStore(controller.state);
  const isOnline = useOnline();
  useOpenPage(controller);
  useListedGenerations(tool, (running) => controller.noteListed(running), {
    isReady: state.isRestored,
    isWanted: tool.policy.joinsLater || !state.isListed,
  });
  const isAbroad = useIsAbroad(tool.kind);
  const later = useStartLater(userId, tool.kind, {
    isAbroad,
    onStarted: (generationId) => {
      controller.show(generationId, 'start');
      CHANGED_BY.start.forEach(refresh);
    },
    onPhoto: listeners.onPhoto,
    onFailed: (code) => listeners.onRefused?.({ code, error: null }),
    failedTitle: tool.startFailedTitle,
  });
  const queue = useQueue(tool, { onQueued: listeners.onQueued, onRefused: takeRefusal });
  const { followed, isRestored, isStarting } = state;
  const runs = followed !== null && isRunning(followed);
  useSource(followed, listeners.onSource);
  return {
    followed,
    isRestored,
    isOnline,
    isStarting,
    isRunning: runs,
    isCancelling: state.cancelling !== null,
    isQueueing: queue.isQueueing,
    isAttached: followed !== null && isAttached,
    attach: () => setIsAttached(true),
    giveWay() {
      if (isAttached) controller.release();
      setIsAttached(false);
    },
    order: (request) =>
      afterConsent(queryClient, isAbroad, () => (runs ? queue.put(request) : void controller.start(request))),
    later,
    startLater: (form, photo) => later.agree(tool.consent(form, Date.now()), photo),
    show: (generationId) => controller.show(generationId, 'link'),
    checkAgain: () => controller.checkAgain(),
    cancel: () => void controller.cancel(),
    release: () => controller.release(),
  };
}

function useOpenPage(controller: { open: () => void; close: () => void }): void {
  useEffect(() => {
    controller.open();
    return () => controller.close();
  }, [controller]);
}

/** Passes on the photo of the product as the server knows it. */
function useSource(followed: Followed<unknown> | null, onSource: (photo: UploadedPhoto) => void): void {
  const source = followed?.view?.photos[0] ?? null;
  const pass = useEffectEvent(onSource);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer has its own copy of the same photo.
  useEffect(() => {
    if (source) pass(source);
  }, [source?.id, source?.product?.article]);
}

/** Passes on the server's list of running generations, once it is newer than the request for it. */
function useListedGenerations<Form, Subject, View extends GenerationView>(
  { kind, subjectOfActive }: GenerationTool<Form, Subject, View>,
  note: (running: Seed<Subject> | null) => void,
  { isReady, isWanted }: { isReady: boolean; isWanted: boolean },
): void {
  const { data, dataUpdatedAt } = useQuery({ ...activeGenerationsQuery, enabled: isWanted });
  const wantedSince = useRef(0);
  useEffect(() => {
    if (isWanted) wantedSince.current = Date.now();
  }, [isWanted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list is passed on once, whoever reads it by then.
  useEffect(() => {
    // A list that the device has stored from an earlier visit does not count.
    if (isReady && isWanted && data && dataUpdatedAt >= wantedSince.current) note(findRunning(data));
  }, [isReady, isWanted, data, dataUpdatedAt]);

  function findRunning({ activeGenerations }: ActiveGenerations): Seed<Subject> | null {
    const active = activeGenerations.find((generation) => generation.kind === kind);
    if (!active) return null;
    const { generationId, status, progress, createdAt } = active;
    return { generationId, subject: subjectOfActive(active), startedAt: toDeviceTime(createdAt), status, progress };
  }
}

function announceOutcome<Form, Subject, View extends GenerationView>(
  tool: GenerationTool<Form, Subject, View>,
  outcome: Outcome,
  followed: Followed<Subject, View> | null,
): void {
  noteEnd(outcome, followed?.generationId ?? null);
  announce(describeCommonOutcome(outcome) ?? tool.describeOutcome(outcome, followed?.view ?? null));
}

function noteEnd({ kind }: Outcome, generationId: string | null): void {
  const isEnd = kind === 'completed' || kind === 'missing' || kind === 'failed' || kind === 'cancelled';
  if (isEnd && generationId !== null) logOutcome(`generation ${kind}: ${generationId}`);
  if (kind !== 'completed') return;
  announceInTitle();
  noteResult();
}

/** The text of outcomes that every tool announces alike; null when the tool has its own text. */
function describeCommonOutcome(outcome: Outcome): OutcomeMessage | null {
  switch (outcome.kind) {
    case 'cancelled':
      return { toast: { title: outcome.message } };
    case 'runs_on':
      return { toast: { title: 'Генерация продолжается', description: outcome.message } };
    case 'cancel_failed':
      return { toast: { title: 'Не удалось отменить', description: outcome.message, tone: 'danger' } };
    default:
      return null;
  }
}

function describeFailedStart<Form, Subject, View extends GenerationView>(
  tool: GenerationTool<Form, Subject, View>,
  error: unknown,
): OutcomeMessage {
  if (error instanceof ApiError && error.code === 'active_generation') {
    const title = 'У вас уже есть активная генерация';
    return { toast: { title, description: 'Дождитесь завершения…', tone: 'danger' } };
  }
  const message = describeError(error, tool.startFailedText);
  const own = tool.describeRefusedStart?.(error);
  const usual = { title: tool.startFailedTitle, description: message, tone: 'danger' } as const;
  return { toast: own === undefined ? usual : (own ?? undefined), error: { type: tool.startErrorType, message } };
}

function announce({ toast: shown, error }: OutcomeMessage): void {
  if (shown) toast(shown);
  if (!error) return;
  const { type, message } = error;
  trackEvent('error_occurred', { error_type: type, error_message: message, page_location: pageLocation() });
}
