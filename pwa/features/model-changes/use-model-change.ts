import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { isLost } from '#pwa/features/generations/status-query.ts';
import { useCancelGeneration } from '#pwa/features/generations/use-cancel-generation.ts';
import { type StartLater, useStartLater } from '#pwa/features/generations/use-start-later.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { useOnline } from '#pwa/lib/use-online.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { type Catalogue, catalogueQuery, photoSubjectQuery } from './catalogue.ts';
import {
  type GenerationView,
  modelChangeStatusQuery,
  type StartedModelChange,
  viewGeneration,
} from './model-change-status.ts';
import { CHANGE_TEXTS, MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import { type FollowedRequest, forgetRequest, readDraft, readSavedRequest, saveRequest } from './saved-model-change.ts';
import { findSelection, keepOffered, offerCatalogue } from './selection.ts';
import { useGenerationOutcome } from './use-generation-outcome.ts';
import { type StartRequest, useStartModelChange, writeFields } from './use-start-model-change.ts';
import { useWizardDraft } from './use-wizard-draft.ts';
import {
  clampStep,
  EMPTY_DRAFT,
  fillGaps,
  isMadeOf,
  reachStep,
  WIZARD_WAYS,
  type WizardDraft,
  type WizardStep,
  type WizardWay,
} from './wizard.ts';

export interface ModelChangeOptions {
  userId: number;
  /** What the tool makes here. */
  change: Change;
  /** Running generations of the account, of every kind. */
  listActive: () => Promise<ActiveGeneration[]>;
  onBuyStars: () => void;
}

export interface ModelChange {
  /** False until the device's record has been read. */
  isRestored: boolean;
  /** The steps there are here. */
  way: WizardWay;
  step: WizardStep;
  openStep: (step: WizardStep) => void;
  draft: WizardDraft;
  choosePhoto: (photo: UploadedPhoto) => void;
  chooseModel: (modelId: string) => void;
  chooseBackground: (backgroundId: string) => void;
  /** All there is, to name what was made of it; and what can be chosen here. */
  catalogue: Catalogue | null;
  offered: Catalogue | null;
  isCatalogueFailed: boolean;
  reloadCatalogue: () => void;
  /** The request that is followed, running or ended; null while nothing was started. */
  followed: FollowedRequest | null;
  /** What to show of it. */
  view: GenerationView | null;
  /** Shows a request by its id, running or ended. */
  showRequest: (requestId: string) => void;
  start: () => void;
  isStarting: boolean;
  later: StartLater;
  /** Agrees to a start, of what is chosen now, when there is a connection. */
  startLater: () => void;
  /** The server refused a paid background. */
  isPremiumRefused: boolean;
  dismissPremiumRefusal: () => void;
  cancel: () => void;
  isCancelling: boolean;
  /** «Повторить» after an unanswered question. */
  checkAgain: () => void;
  /** After a failure: back to the summary with the same choices. */
  returnToSummary: () => void;
  /** «Создать ещё»: first step, nothing chosen but what is still to be started. */
  reset: () => void;
}

/** All that the change-model page does, apart from how it looks. */
export function useModelChange({ userId, change: made, listActive, onBuyStars }: ModelChangeOptions): ModelChange {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const { draft, change, restore, reset } = useWizardDraft(userId);
  const [followed, setFollowed] = useState<FollowedRequest | null>(null);
  const [started, setStarted] = useState<StartedModelChange | null>(null);
  const [isRestored, setIsRestored] = useState(false);
  const [isPremiumRefused, setIsPremiumRefused] = useState(false);
  const way = WIZARD_WAYS[made];
  const catalogue = useQuery(catalogueQuery);
  const photoId = draft.photo?.id ?? '';
  const subject = useQuery({ ...photoSubjectQuery(photoId), enabled: photoId !== '' && isOnline }).data?.subject;
  const offered = useMemo(
    () => catalogue.data && offerCatalogue(catalogue.data, made, subject),
    [catalogue.data, made, subject],
  );
  const status = useQuery({
    ...modelChangeStatusQuery(followed?.requestId ?? ''),
    enabled: followed !== null && isOnline,
  });

  /** Choices that the request was not made of stay as they are, here and on the device. */
  const follow = useCallback(
    (request: FollowedRequest, answer: StartedModelChange | null = null) => {
      setFollowed(request);
      setStarted(answer);
      ignoreFailure(saveRequest(userId, request));
      restore((previous) => ({ ...fillGaps(previous, request), step: 'generation' }));
    },
    [userId, restore],
  );
  const release = useCallback(() => {
    setFollowed(null);
    setStarted(null);
    ignoreFailure(forgetRequest(userId));
    void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
  }, [userId, queryClient]);

  const view =
    followed &&
    viewGeneration({
      status: status.data ?? null,
      error: status.error,
      started,
      photoUrl: followed.photo?.previewUrl ?? null,
    });
  const isOfDraft = followed !== null && isMadeOf(draft, followed);
  useGenerationOutcome({ userId, view, requestId: followed?.requestId ?? null, isOfDraft, onCancelled: release });

  // What runs under another door's name is known only after the first answer.
  const answered = status.data;
  useEffect(() => {
    if (!answered || !followed) return;
    const named = { modelId: answered.model_id, backgroundId: answered.background_id };
    if (followed.modelId === named.modelId && followed.backgroundId === named.backgroundId) return;
    setFollowed({ ...followed, ...named });
    if (isOfDraft) restore((previous) => ({ ...previous, ...fillGaps(previous, { photo: null, ...named }) }));
  }, [answered, followed, isOfDraft, restore]);

  const isGone = view?.kind === 'running' && isLost(status.error);
  useEffect(() => {
    if (!isGone) return;
    toast({ title: MODEL_CHANGE_TEXTS.pollFailed, description: MODEL_CHANGE_TEXTS.pollFailedHint, tone: 'danger' });
    release();
  }, [isGone, release]);

  const findActive = useCallback(async (): Promise<FollowedRequest | null> => {
    const active = (await listActive().catch(() => [])).find(({ kind }) => kind === 'model_change');
    if (!active) return null;
    const { generationId, photo, createdAt } = active;
    return { ...EMPTY_DRAFT, requestId: generationId, photo, startedAt: Date.parse(createdAt) };
  }, [listActive]);

  useEffect(() => {
    let isCurrent = true;
    const restoreAll = async () => {
      const [saved, savedDraft] = await Promise.all([readSavedRequest(userId), readDraft(userId)]).catch(() => []);
      if (!isCurrent) return;
      if (savedDraft) restore(savedDraft);
      if (saved) follow(saved);
      setIsRestored(true);
      const found = await findActive();
      if (isCurrent && found && found.requestId !== saved?.requestId) follow(found);
    };
    void restoreAll();
    return () => {
      isCurrent = false;
    };
  }, [userId, follow, restore, findActive]);

  const followActive = async (requestId: string | null) => {
    const active = await findActive();
    if (active) follow(active);
    else if (requestId) follow({ requestId, ...EMPTY_DRAFT, startedAt: Date.now() });
  };
  /** The page may have been open while the tool became another. */
  const learnTools = (code: string | null) => {
    if (code === 'change_differs') void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.tools });
  };
  const starting = useStartModelChange({
    change: made,
    onStarted: (answer, { photo, model, background }) => {
      const request = {
        requestId: answer.request_id,
        photo,
        modelId: model?.id ?? null,
        backgroundId: background.id,
      };
      follow({ ...request, startedAt: Date.now() }, answer);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
    },
    onAlreadyActive: followActive,
    onRefused: ({ code }) => {
      if (code === 'premium_background') setIsPremiumRefused(true);
      if (code === 'photo_not_found' || code === 'photo_forbidden') change({ photo: null, step: 'photo' });
      if (code === 'catalogue_entry_unknown') void catalogue.refetch();
      learnTools(code);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
    },
    onBuyStars,
  });
  const later = useStartLater(userId, 'model_change', {
    onStarted: (requestId) => {
      void followActive(requestId);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
    },
    onPhoto: (photo) => {
      // Where a result is being looked at it stays.
      if (view && view.kind !== 'running' && draft.step !== 'generation') release();
      change({ photo });
    },
    onFailed: learnTools,
    failedTitle: MODEL_CHANGE_TEXTS.startFailed,
  });
  // What is started must be what is shown: while another photo waits it is not the one before.
  const shownDraft = keepOffered(offered ?? null, later.hasWaitingPhoto ? { ...draft, photo: null } : draft);
  /** Runs `begin` with all that was chosen; says so when something is missing. */
  const withChoice = (begin: (request: StartRequest) => void) => {
    const { photo, background, ...found } = findSelection(offered ?? null, shownDraft);
    const needsModel = way.includes('model');
    const model = needsModel ? found.model : null;
    if (photo && background && (model || !needsModel)) return begin({ change: made, photo, model, background });
    toast({
      title: MODEL_CHANGE_TEXTS.incomplete,
      description: CHANGE_TEXTS[made].incompleteHint,
      tone: 'danger',
    });
  };
  // A new choice after an end begins something new.
  const choose = (part: Partial<WizardDraft>) => {
    if (view?.kind === 'running') return;
    if (view) release();
    // What was agreed to was another choice.
    later.withdraw();
    change(part);
  };
  const checkAgain = () => void status.refetch();
  const cancelling = useCancelGeneration({ onCancelled: release, onRunsOn: release, onFinished: checkAgain });

  return {
    isRestored,
    way,
    step: followed ? reachStep(way, draft.step) : clampStep(way, draft.step, shownDraft),
    openStep: (step) => change({ step }),
    draft: shownDraft,
    choosePhoto: (photo) => choose({ photo }),
    chooseModel: (modelId) => choose({ modelId }),
    chooseBackground: (backgroundId) => choose({ backgroundId }),
    catalogue: catalogue.data ?? null,
    offered: offered ?? null,
    isCatalogueFailed: catalogue.isError && !catalogue.isFetching,
    reloadCatalogue: () => void catalogue.refetch(),
    followed,
    showRequest: (requestId) =>
      follow(followed?.requestId === requestId ? followed : { requestId, ...EMPTY_DRAFT, startedAt: Date.now() }),
    view,
    start: () =>
      withChoice((request) => {
        if (!starting.isPending) starting.mutate(request);
      }),
    isStarting: starting.isPending,
    later,
    startLater: () =>
      withChoice(({ photo, ...choice }) => {
        const fields = writeFields(choice);
        later.agree({ slot: 'model_change', fields, price: MODEL_CHANGE_PRICE, agreedAt: Date.now() }, photo);
      }),
    isPremiumRefused,
    dismissPremiumRefusal: () => setIsPremiumRefused(false),
    cancel: () => {
      if (followed) cancelling.mutate(followed.requestId);
    },
    isCancelling: cancelling.isPending,
    checkAgain,
    returnToSummary: release,
    reset: () => {
      release();
      if (!isOfDraft) return change({ step: 'photo' });
      later.withdraw();
      reset();
    },
  };
}
