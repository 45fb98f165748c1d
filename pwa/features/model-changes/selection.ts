import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { Catalogue } from './catalogue.ts';
import type { WizardDraft } from './wizard.ts';

/** What was chosen, as far as the catalogue still has it. */
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
