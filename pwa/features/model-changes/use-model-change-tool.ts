import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import type { StartRequest } from '#pwa/features/generations/generation-tool.ts';
import { isPhotoGone } from '#pwa/features/generations/start-readiness.ts';
import { useLastSettings } from '#pwa/features/generations/tool-settings.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import {
  type DraftRecord,
  isOtherPhoto,
  type StoredDraft,
  useStoredDraft,
  withArticle,
} from '#pwa/features/generations/use-stored-draft.ts';
import { type UploadedPhoto, uploadedPhoto } from '#shared/contract/uploads.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { type Catalogue, catalogueQuery, photoSubjectQuery } from './catalogue.ts';
import { CHANGE_TEXTS, MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import { type ChangeForm, createModelChangeTool, type ModelChangeView } from './model-change-tool.ts';
import { findSelection, keepOffered, offerCatalogue, type Selection } from './selection.ts';
import {
  chooseAgain,
  clampStep,
  EMPTY_DRAFT,
  fillGaps,
  isLastStep,
  isMadeOf,
  laterStep,
  reachStep,
  WIZARD_STEPS,
  WIZARD_WAYS,
  type WizardDraft,
  type WizardStep,
  type WizardWay,
} from './wizard.ts';

interface StepDraft extends WizardDraft {
  step: WizardStep;
}

export const STEP_DRAFT: DraftRecord<StepDraft> = {
  name: 'changeModelDraft',
  shape: z.object({
    photo: z.nullable(uploadedPhoto),
    modelId: z.nullable(z.string()),
    backgroundId: z.nullable(z.string()),
    step: z.enum(WIZARD_STEPS),
  }),
  empty: { ...EMPTY_DRAFT, step: 'photo' },
  // A generation restored in the meantime keeps its step.
  join: (older, newer) => ({ ...fillGaps(newer, older), step: laterStep(older.step, newer.step) }),
};

export interface ModelChangeTool {
  control: GenerationControl<ChangeForm, WizardDraft, ModelChangeView>;
  /** False until the device's records have been read. */
  isRestored: boolean;
  way: WizardWay;
  step: WizardStep;
  openStep: (step: WizardStep) => void;
  draft: WizardDraft;
  choosePhoto: (photo: UploadedPhoto) => void;
  /** Takes over another article of the same photo. */
  changeArticle: (photo: UploadedPhoto) => void;
  chooseModel: (modelId: string) => void;
  chooseBackground: (backgroundId: string) => void;
  /** The whole catalogue, to name what a result was made of, and the part that can be chosen here. */
  catalogue: Catalogue | null;
  offered: Catalogue | null;
  isCatalogueFailed: boolean;
  reloadCatalogue: () => void;
  /** Whether the last step shows the followed generation in place of the choices. */
  isFollowedShown: boolean;
  /** Leads from its strip to the followed generation. */
  showFollowed: () => void;
  start: () => void;
  /** Tries what has failed once more. */
  restart: () => void;
  /** Agrees to start the current choice when there is a connection. */
  startLater: () => void;
  /** The server refused a paid background. */
  isPremiumRefused: boolean;
  dismissPremiumRefusal: () => void;
  /** «Следующее фото»: returns to the first step without the photo of the result. Another photo that is there stays. */
  nextPhoto: () => void;
  /** Keeps the photo of the result and leads to the choices. Null while nobody knows it. */
  otherSettings: (() => void) | null;
  /** Takes these choices: of a set, or none. */
  chooseSettings: (settings: Pick<WizardDraft, 'modelId' | 'backgroundId'>) => void;
  /** «Сделать так же»: takes the settings of this generation and waits for another photo. */
  makeLike: (view: ModelChangeView) => void;
}

/**
 * The state of the change-model page: a wizard whose last step shows the generation. `focusAfter` makes a change of the
 * form and moves the focus to its upload.
 */
export function useModelChangeTool(
  userId: number,
  made: Change,
  onBuyStars: () => void,
  focusAfter: (change: () => void) => void,
): ModelChangeTool {
  const queryClient = useQueryClient();
  const { draft, isRead, change, changeArticle, restore, forget, leaveLast, keepChoices } = useStepDraft(userId);
  const [isPremiumRefused, setIsPremiumRefused] = useState(false);
  const way = WIZARD_WAYS[made];
  const { catalogue, offered } = useOfferedCatalogue(made, draft.photo);
  const control = useGenerationTool(createModelChangeTool(made, onBuyStars), userId, {
    // Choices that the generation was not made from are kept, on the page and on the device.
    onPresent: ({ subject }) => restore((previous) => ({ ...fillGaps(previous, subject), step: 'generation' })),
    onCompleted: ({ subject }) => {
      if (isMadeOf(draft, subject)) forget();
    },
    onQueued({ photo }) {
      if (draft.photo?.id === photo.id) focusAfter(() => keepChoices({ ...draft, photo: null }, 'photo'));
    },
    onRefused: ({ code, error }) => {
      // The tool may have changed while the page was open.
      if (code === 'change_differs') void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.tools });
      if (error === null) return;
      if (code === 'premium_background') setIsPremiumRefused(true);
      if (isPhotoGone(code)) change({ photo: null, step: 'photo' });
      if (code === 'catalogue_entry_unknown') void catalogue.refetch();
    },
    onPhoto: (photo) => {
      // A result that is being looked at stays.
      if (!isLastStep(way, reachStep(way, draft.step))) control.release();
      change({ photo });
    },
    // After an end nothing is stored any more.
    onSource: (source) => restore(({ photo, ...rest }) => ({ ...rest, photo: withArticle(photo, source) })),
  });
  const { followed, later } = control;
  const subject = followed?.subject;
  useSubjectAsDraft(followed?.generationId, control.isAttached ? subject : undefined, restore);

  // The page must show what it starts: while another photo is queued, the previous one is hidden.
  const shownDraft = keepOffered(offered, later.hasWaitingPhoto ? { ...draft, photo: null } : draft);
  /** Runs `begin` with the complete choice. Says so when something is missing. */
  const withChoice = (begin: (request: StartRequest<ChangeForm>) => void, choice: WizardDraft = shownDraft) => {
    const request = findRequest(made, findSelection(offered, choice));
    if (request) begin(request);
    else showIncompleteToast(made);
  };
  const beginAnew = (begin: () => void) => {
    control.giveWay();
    // A consent was for another choice.
    later.withdraw();
    begin();
  };
  const choose = (part: Partial<WizardDraft>) => beginAnew(() => change(part));
  const chooseAll = (chosen: WizardDraft, from: WizardStep) => beginAnew(() => keepChoices(chosen, from));

  const step = control.isAttached ? reachStep(way, draft.step) : clampStep(way, draft.step, shownDraft);
  const isFollowedShown = control.isAttached && isLastStep(way, step);

  return {
    control,
    isRestored: isRead && control.isRestored,
    way,
    step,
    isFollowedShown,
    showFollowed: () => {
      control.attach();
      change({ step: 'generation' });
    },
    openStep: (step) => change({ step }),
    draft: shownDraft,
    choosePhoto: (photo) => choose({ photo }),
    changeArticle,
    chooseModel: (modelId) => choose({ modelId }),
    chooseBackground: (backgroundId) => choose({ backgroundId }),
    catalogue: catalogue.data ?? null,
    offered,
    isCatalogueFailed: catalogue.isError && !catalogue.isFetching,
    reloadCatalogue: () => void catalogue.refetch(),
    start: () => withChoice(control.order),
    restart: () => withChoice(control.order, chooseAgain(shownDraft, subject)),
    startLater: () => withChoice(({ photo, form }) => control.startLater(form, photo)),
    isPremiumRefused,
    dismissPremiumRefusal: () => setIsPremiumRefused(false),
    nextPhoto: () => {
      if (subject && !isOtherPhoto(draft.photo, subject.photo)) return chooseAll({ ...subject, photo: null }, 'photo');
      control.giveWay();
      change({ step: 'photo' });
    },
    otherSettings: subject?.photo ? () => chooseAll(subject, way[1] ?? 'photo') : null,
    chooseSettings: (settings) => {
      leaveLast();
      choose(settings);
    },
    makeLike: ({ settings: { modelId, backgroundId } }) => chooseAll({ photo: null, modelId, backgroundId }, 'photo'),
  };
}

/** The choices so far. Missing ones are those of the account's last change, until `leaveLast` is called. */
function useStepDraft(userId: number) {
  const { draft, change, ...record } = useStoredDraft(userId, STEP_DRAFT);
  const last = useLastSettings('model_change');
  const [isLastLeft, setIsLastLeft] = useState(false);
  const leaveLast = () => setIsLastLeft(true);
  const filled = last && !isLastLeft ? { ...draft, ...fillGaps(draft, { photo: null, ...last }) } : draft;
  return {
    ...record,
    draft: filled,
    change: (part: Partial<StepDraft>) => change((current) => ({ ...current, ...part })),
    changeArticle: (changed: UploadedPhoto) =>
      change(({ photo, ...rest }) => ({ ...rest, photo: withArticle(photo, changed) })),
    leaveLast,
    /** Takes all choices, from this step on. */
    keepChoices(chosen: WizardDraft, from: WizardStep) {
      leaveLast();
      // Without a photo the next visit begins with the last settings of the account.
      const keep = chosen.photo ? change : record.restore;
      keep(() => ({ ...chosen, step: from }));
      if (!chosen.photo) record.forget();
    },
  };
}

/**
 * Fills the choices that are missing with those of a generation. What another door has started it from is known only
 * after the first answer.
 */
function useSubjectAsDraft(
  generationId: string | undefined,
  subject: WizardDraft | undefined,
  restore: StoredDraft<StepDraft>['restore'],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer has its own copy of the same subject.
  useEffect(() => {
    if (subject) restore((previous) => ({ ...previous, ...fillGaps(previous, subject) }));
  }, [generationId, subject?.photo?.id, subject?.modelId, subject?.backgroundId]);
}

/** What is started with this selection. Null while something is missing. */
function findRequest(change: Change, { photo, model, background }: Selection): StartRequest<ChangeForm> | null {
  const needsModel = WIZARD_WAYS[change].includes('model');
  if (!photo || !background || (needsModel && !model)) return null;
  return { photo, form: { change, model: needsModel ? model : null, background } };
}

function showIncompleteToast(made: Change): void {
  const description = CHANGE_TEXTS[made].incompleteHint;
  toast({ title: MODEL_CHANGE_TEXTS.incomplete, description, tone: 'danger' });
}

/** The whole catalogue, and the part that can be chosen for this photo. */
function useOfferedCatalogue(made: Change, photo: UploadedPhoto | null) {
  const isOnline = useOnline();
  const catalogue = useQuery(catalogueQuery);
  const photoId = photo?.id ?? '';
  const subject = useQuery({ ...photoSubjectQuery(photoId), enabled: photoId !== '' && isOnline }).data?.subject;
  const offered = useMemo(
    () => (catalogue.data ? offerCatalogue(catalogue.data, made, subject) : null),
    [catalogue.data, made, subject],
  );
  return { catalogue, offered };
}
