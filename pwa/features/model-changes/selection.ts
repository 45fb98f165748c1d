import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { putSuitingFirst, type SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import { type Change, isBackgroundOffered } from '#shared/rules/tool-abilities.ts';
import type { Catalogue } from './catalogue.ts';
import type { WizardDraft } from './wizard.ts';

/** The choices that the catalogue still contains. */
export interface Selection {
  photo: UploadedPhoto | null;
  model: CatalogueModel | null;
  background: CatalogueBackground | null;
}

export function findSelection(catalogue: Catalogue | null, { photo, modelId, backgroundId }: WizardDraft): Selection {
  return {
    photo,
    model: catalogue?.models.find(({ id }) => id === modelId) ?? null,
    background: catalogue?.backgrounds.find(({ id }) => id === backgroundId) ?? null,
  };
}

/** The part of the catalogue that can be chosen here, with suitable backgrounds first. */
export function offerCatalogue(catalogue: Catalogue, change: Change, subject: SubjectKind = 'unknown'): Catalogue {
  return {
    ...catalogue,
    backgrounds: putSuitingFirst(
      catalogue.backgrounds.filter((background) => isBackgroundOffered(background, change)),
      subject,
    ),
  };
}

/** Removes choices that are no longer offered. Keeps all of them while the catalogue is unknown. */
export function keepOffered<Draft extends WizardDraft>(catalogue: Catalogue | null, draft: Draft): Draft {
  if (!catalogue) return draft;
  const { model, background } = findSelection(catalogue, draft);
  return { ...draft, modelId: model?.id ?? null, backgroundId: background?.id ?? null };
}
