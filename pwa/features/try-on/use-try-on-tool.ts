import { useEffect } from 'react';
import { isPhotoGone, isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import { useStartLater } from '#pwa/features/generations/use-start-later.ts';
import { type DraftRecord, useStoredDraft } from '#pwa/features/generations/use-stored-draft.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { GarmentCategory } from '#shared/rules/garments.ts';
import { TRY_ON_TEXTS } from './try-on-texts.ts';
import {
  EMPTY_TRY_ON,
  TRY_ON_TOOL,
  type TryOnDraft,
  type TryOnForm,
  type TryOnView,
  tryOnDraft,
} from './try-on-tool.ts';

const TRY_ON_DRAFT: DraftRecord<TryOnDraft> = {
  name: 'tryOnDraft',
  shape: tryOnDraft,
  empty: EMPTY_TRY_ON,
  join: fillGaps,
};

export interface TryOnTool {
  control: GenerationControl<TryOnForm, TryOnDraft, TryOnView>;
  /** What the next start is made from. Without a photo that still waits for a network. */
  draft: TryOnDraft;
  chooseGarment: (photo: UploadedPhoto) => void;
  choosePerson: (photo: UploadedPhoto) => void;
  chooseCategory: (category: GarmentCategory) => void;
  start: () => void;
  /** Agrees to a start when there is a connection. */
  startLater: () => void;
}

/** The state of the page of try-on, whose form is two photos and the kind of the garment. */
export function useTryOnTool(userId: number, onBuyStars: () => void): TryOnTool {
  const { draft, change: changeDraft, restore } = useStoredDraft(userId, TRY_ON_DRAFT);
  const change = (part: Partial<TryOnDraft>) => changeDraft((current) => ({ ...current, ...part }));
  const control = useGenerationTool(TRY_ON_TOOL, userId, {
    onRefused({ code, error }) {
      if (error && isShortOfStars(error)) onBuyStars();
      // The refusal does not say which of the two.
      if (error && isPhotoGone(code)) change({ garment: null, person: null });
    },
    onPhoto: (garment) => choose({ garment }),
  });
  const { followed, later } = control;
  const waitingPerson = useStartLater(userId, 'try_on_person', {
    // Only a photo waits there.
    isAbroad: false,
    // Only a photo waits there, never a start.
    onStarted: () => undefined,
    onPhoto: (person) => choose({ person }),
    failedTitle: TRY_ON_TEXTS.startFailed,
  });
  // What another device or an earlier visit has started fills an empty form.
  const subject = followed?.subject;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer has its own copy of the same subject.
  useEffect(() => {
    if (subject) restore((current) => fillGaps(subject, current));
  }, [subject?.garment?.id, subject?.person?.id]);

  function choose(part: Partial<TryOnDraft>): void {
    // A new choice after an end begins something new.
    control.release();
    change(part);
  }
  /** A consent was for another choice. */
  function chooseAnew(part: Partial<TryOnDraft>): void {
    later.withdraw();
    choose(part);
  }

  const garment = later.hasWaitingPhoto ? null : draft.garment;
  const person = waitingPerson.hasWaitingPhoto ? null : draft.person;
  const { category } = draft;
  return {
    control,
    draft: { garment, person, category },
    chooseGarment: (photo) => chooseAnew({ garment: photo }),
    choosePerson: (photo) => chooseAnew({ person: photo }),
    chooseCategory: (chosen) => chooseAnew({ category: chosen }),
    start: () => {
      if (garment && person) control.start({ photo: garment, form: { person, category } });
    },
    startLater: () => {
      if (person) control.startLater({ person, category }, garment);
    },
  };
}

/** Takes the photos that are missing, and their category if both are. */
function fillGaps(known: TryOnDraft, { garment, person, category }: TryOnDraft): TryOnDraft {
  const isEmpty = garment === null && person === null;
  return {
    garment: garment ?? known.garment,
    person: person ?? known.person,
    category: isEmpty ? known.category : category,
  };
}
