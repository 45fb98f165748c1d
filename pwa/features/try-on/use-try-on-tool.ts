import { useEffect } from 'react';
import * as z from 'zod/mini';
import { isPhotoGone, isShortOfStars } from '#pwa/features/generations/start-readiness.ts';
import { useLastSettings } from '#pwa/features/generations/tool-settings.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import { useStartLater } from '#pwa/features/generations/use-start-later.ts';
import {
  type DraftRecord,
  isOtherPhoto,
  useStoredDraft,
  withArticle,
} from '#pwa/features/generations/use-stored-draft.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { DEFAULT_GARMENT_CATEGORY, GARMENT_CATEGORIES, type GarmentCategory } from '#shared/rules/garments.ts';
import { TRY_ON_TEXTS } from './try-on-texts.ts';
import { TRY_ON_TOOL, type TryOnDraft, type TryOnForm, type TryOnView, tryOnDraft } from './try-on-tool.ts';

/** The category is null until the person chooses one: that of the account's last try-on counts. */
const chosenDraft = z.extend(tryOnDraft, { category: z.nullable(z.enum(GARMENT_CATEGORIES)) });
type ChosenDraft = z.infer<typeof chosenDraft>;

export const TRY_ON_DRAFT: DraftRecord<ChosenDraft> = {
  name: 'tryOnDraft',
  shape: chosenDraft,
  empty: { garment: null, person: null, category: null },
  join: fillGaps,
};

export interface TryOnTool {
  control: GenerationControl<TryOnForm, TryOnDraft, TryOnView>;
  /** False until the device's records have been read. */
  isRestored: boolean;
  /** What the next start is made from. Without a photo that still waits for a network. */
  draft: TryOnDraft;
  chooseGarment: (photo: UploadedPhoto) => void;
  /** Takes over another article of the same photo of the garment. */
  changeArticle: (garment: UploadedPhoto) => void;
  choosePerson: (photo: UploadedPhoto) => void;
  chooseCategory: (category: GarmentCategory) => void;
  start: () => void;
  /** Tries what has failed once more. */
  restart: () => void;
  /** Agrees to a start when there is a connection. */
  startLater: () => void;
  /** «Следующее фото»: takes the garment of the result away and keeps the rest. Another one that is there stays. */
  nextPhoto: () => void;
  /** Keeps both photos of the result and gives way to the form. Null while one of them is unknown. */
  otherSettings: (() => void) | null;
  /** «Сделать так же»: takes the person and the category of this try-on and waits for another garment. */
  makeLike: (view: TryOnView) => void;
}

/**
 * The state of the page of try-on, whose form is two photos and the kind of the garment. `focusAfter` makes a change of
 * the form and moves the focus to the upload of the garment.
 */
export function useTryOnTool(
  userId: number,
  onBuyStars: () => void,
  focusAfter: (change: () => void) => void,
): TryOnTool {
  const { draft, isRead, change: changeDraft, restore } = useStoredDraft(userId, TRY_ON_DRAFT);
  const last = useLastSettings('try_on');
  const change = (part: Partial<ChosenDraft>) => changeDraft((current) => ({ ...current, ...part }));
  const control = useGenerationTool(TRY_ON_TOOL, userId, {
    onRefused({ code, error }) {
      if (error && isShortOfStars(error)) onBuyStars();
      // The refusal does not say which of the two.
      if (error && isPhotoGone(code)) change({ garment: null, person: null });
    },
    onQueued({ photo }) {
      if (draft.garment?.id === photo.id) focusAfter(() => change({ garment: null }));
    },
    onPhoto: (garment) => choose({ garment }),
    onSource: changeArticle,
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
    if (subject && control.isAttached) restore((current) => fillGaps(subject, current));
  }, [subject?.garment?.id, subject?.person?.id]);

  function choose(part: Partial<ChosenDraft>): void {
    control.giveWay();
    change(part);
  }
  function changeArticle(changed: UploadedPhoto): void {
    changeDraft((current) => ({ ...current, garment: withArticle(current.garment, changed) }));
  }
  /** A consent was for another choice. */
  function chooseAnew(part: Partial<ChosenDraft>): void {
    later.withdraw();
    choose(part);
  }

  const garment = later.hasWaitingPhoto ? null : draft.garment;
  const person = waitingPerson.hasWaitingPhoto ? null : draft.person;
  const category = draft.category ?? last?.category ?? DEFAULT_GARMENT_CATEGORY;
  const made = subject?.garment && subject.person ? subject : null;
  return {
    control,
    isRestored: isRead && control.isRestored,
    draft: { garment, person, category },
    chooseGarment: (photo) => chooseAnew({ garment: photo }),
    changeArticle,
    choosePerson: (photo) => chooseAnew({ person: photo }),
    chooseCategory: (chosen) => chooseAnew({ category: chosen }),
    start: () => {
      if (garment && person) control.order({ photo: garment, form: { person, category } });
    },
    restart: () => {
      // The form may have another photo by now.
      const again = made && made.garment?.id !== garment?.id ? made : { garment, person, category };
      const { garment: photo, ...form } = again;
      if (photo && form.person) control.order({ photo, form: { ...form, person: form.person } });
    },
    startLater: () => {
      if (person) control.startLater({ person, category }, garment);
    },
    nextPhoto: () => {
      if (isOtherPhoto(draft.garment, subject?.garment)) control.giveWay();
      else choose({ ...subject, garment: null });
    },
    otherSettings: made && (() => choose(made)),
    makeLike: ({ photos: [, person = null], settings }) =>
      chooseAnew({ garment: null, person: person ?? draft.person, category: settings.category }),
  };
}

/** Takes what is missing. */
function fillGaps(known: ChosenDraft, { garment, person, category }: ChosenDraft): ChosenDraft {
  return {
    garment: garment ?? known.garment,
    person: person ?? known.person,
    category: category ?? known.category,
  };
}
