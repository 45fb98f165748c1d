import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { useOnline } from '#pwa/lib/use-online.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { type Catalogue, catalogueQuery, photoSubjectQuery } from './catalogue.ts';
import { CHANGE_TEXTS, MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import { type ChangeForm, createModelChangeTool, type ModelChangeView } from './model-change-tool.ts';
import { findSelection, keepOffered, offerCatalogue } from './selection.ts';
import { type ShownChange, showChange } from './shown-change.ts';
import { useWizardDraft } from './use-wizard-draft.ts';
import {
  clampStep,
  fillGaps,
  isMadeOf,
  reachStep,
  WIZARD_WAYS,
  type WizardDraft,
  type WizardStep,
  type WizardWay,
} from './wizard.ts';

export interface ModelChangeTool {
  control: GenerationControl<ChangeForm, WizardDraft, ModelChangeView>;
  /** False until the device's records have been read. */
  isRestored: boolean;
  /** What to show of the followed generation. */
  view: ShownChange | null;
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
  start: () => void;
  /** Agrees to a start, of what is chosen now, when there is a connection. */
  startLater: () => void;
  /** The server refused a paid background. */
  isPremiumRefused: boolean;
  dismissPremiumRefusal: () => void;
  /** «Создать ещё»: first step, nothing chosen but what is still to be started. */
  reset: () => void;
}

/** The form of the change-model page: a wizard whose last step shows what is made of it. */
export function useModelChangeTool(userId: number, made: Change, onBuyStars: () => void): ModelChangeTool {
  const queryClient = useQueryClient();
  const { draft, isRead, change, restore, reset, forget } = useWizardDraft(userId);
  const [isPremiumRefused, setIsPremiumRefused] = useState(false);
  const way = WIZARD_WAYS[made];
  const { catalogue, offered } = useOfferedCatalogue(made, draft.photo);
  const control = useGenerationTool(createModelChangeTool(made, onBuyStars), userId, {
    // Choices that it was not made of stay as they are, here and on the device.
    onPresent: ({ subject }) => restore((previous) => ({ ...fillGaps(previous, subject), step: 'generation' })),
    onCompleted: ({ subject }) => {
      if (isMadeOf(draft, subject)) forget();
    },
    onRefused: ({ code, error }) => {
      // The page may have been open while the tool became another.
      if (code === 'change_differs') void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.tools });
      if (error === null) return;
      if (code === 'premium_background') setIsPremiumRefused(true);
      if (code === 'photo_not_found' || code === 'photo_forbidden') change({ photo: null, step: 'photo' });
      if (code === 'catalogue_entry_unknown') void catalogue.refetch();
    },
    onPhoto: (photo) => {
      // Where a result is being looked at it stays.
      if (draft.step !== 'generation') control.release();
      change({ photo });
    },
  });
  const { followed, later } = control;
  // What runs under another door's name is known only after the first answer.
  const subject = followed?.subject;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer brings the same subject anew.
  useEffect(() => {
    if (subject) restore((previous) => ({ ...previous, ...fillGaps(previous, subject) }));
  }, [followed?.generationId, subject?.photo?.id, subject?.modelId, subject?.backgroundId, restore]);

  // What is started must be what is shown: while another photo waits it is not the one before.
  const shownDraft = keepOffered(offered, later.hasWaitingPhoto ? { ...draft, photo: null } : draft);
  /** Runs `begin` with all that was chosen; says so when something is missing. */
  const withChoice = (begin: (photo: UploadedPhoto, form: ChangeForm) => void) => {
    const { photo, background, ...found } = findSelection(offered, shownDraft);
    const needsModel = way.includes('model');
    const model = needsModel ? found.model : null;
    if (photo && background && (model || !needsModel)) return begin(photo, { change: made, model, background });
    sayIncomplete(made);
  };
  const choose = (part: Partial<WizardDraft>) => {
    if (control.isRunning) return;
    // A new choice after an end begins something new; what was agreed to was another.
    control.release();
    later.withdraw();
    change(part);
  };

  return {
    control,
    isRestored: isRead && control.isRestored,
    view: followed && showChange(followed),
    way,
    step: followed ? reachStep(way, draft.step) : clampStep(way, draft.step, shownDraft),
    openStep: (step) => change({ step }),
    draft: shownDraft,
    choosePhoto: (photo) => choose({ photo }),
    chooseModel: (modelId) => choose({ modelId }),
    chooseBackground: (backgroundId) => choose({ backgroundId }),
    catalogue: catalogue.data ?? null,
    offered,
    isCatalogueFailed: catalogue.isError && !catalogue.isFetching,
    reloadCatalogue: () => void catalogue.refetch(),
    start: () => withChoice((photo, form) => control.start({ photo, form })),
    startLater: () => withChoice((photo, form) => control.startLater(form, photo)),
    isPremiumRefused,
    dismissPremiumRefusal: () => setIsPremiumRefused(false),
    reset: () => {
      const isOfDraft = followed !== null && isMadeOf(draft, followed.subject);
      control.release();
      if (!isOfDraft) return change({ step: 'photo' });
      later.withdraw();
      reset();
    },
  };
}

function sayIncomplete(made: Change): void {
  const description = CHANGE_TEXTS[made].incompleteHint;
  toast({ title: MODEL_CHANGE_TEXTS.incomplete, description, tone: 'danger' });
}

/** The whole catalogue, and what of it can be chosen for this photo. */
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
