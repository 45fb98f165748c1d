import { Readable } from 'node:stream';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';

type CatalogueApp = Pick<AppContext, 'catalogue' | 'config'>;
type Pictured = Pick<CatalogueModel, 'imageUrl'>;

/**
 * The model with this picture address. Addresses are only compared with those of the catalogue and never opened. Throws
 * catalogue_entry_unknown.
 */
export function getModelByUrl(app: CatalogueApp, url: string): CatalogueModel {
  return getByUrl(app, app.catalogue.models, url);
}

/**
 * The background with this picture address. An empty address keeps the photo's own background. Throws
 * catalogue_entry_unknown.
 */
export function getBackgroundByUrl(app: CatalogueApp, url: string): CatalogueBackground {
  if (url !== '') return getByUrl(app, app.catalogue.backgrounds, url);
  const kept = app.catalogue.backgrounds.find(({ type }) => type === 'keep_original');
  if (!kept) throw new AppError('catalogue_entry_unknown');
  return kept;
}

function getByUrl<Entry extends { imageUrl: string; avifUrl: string }>(
  app: CatalogueApp,
  entries: readonly Entry[],
  url: string,
): Entry {
  const ownOrigin = `${app.config.publicUrl}/`;
  const address = url.startsWith(ownOrigin) ? `/${url.slice(ownOrigin.length)}` : url;
  const entry = entries.find(({ imageUrl, avifUrl }) => imageUrl === address || avifUrl === address);
  if (!entry) throw new AppError('catalogue_entry_unknown');
  return entry;
}

export async function openCatalogueImage(app: Pick<AppContext, 'catalogue'>, entry: Pictured): Promise<Readable> {
  return Readable.from([getCatalogueImage(app, entry)]);
}

export function getCatalogueImage({ catalogue }: Pick<AppContext, 'catalogue'>, { imageUrl }: Pictured): Buffer {
  const file = catalogue.files.get(imageUrl);
  if (!file) throw new Error(`The catalogue has no ${imageUrl}`);
  return file.content;
}
