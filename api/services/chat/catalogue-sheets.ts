import type { AppContext } from '#api/services/app-context.ts';
import { getCatalogueImage } from '#api/services/core/catalogue.ts';
import { sheetWork } from './sheets.ts';

export interface CatalogueSheet {
  entries: readonly { imageUrl: string }[];
  columns: number;
  /** The number on the first picture. Null for pictures without numbers. */
  firstNumber: number | null;
}

/**
 * Pictures of the catalogue side by side in one JPEG of some tens of kilobytes. Cached, because the catalogue does not
 * change while the process runs.
 */
export function getCatalogueSheet(
  app: Pick<AppContext, 'catalogue' | 'state'>,
  { entries, columns, firstNumber }: CatalogueSheet,
): Promise<Buffer> {
  const key = [firstNumber, columns, ...entries.map(({ imageUrl }) => imageUrl)].join(' ');
  return app.state.caches.catalogueSheets.get(key, () => {
    const pictures = entries.map((entry) => getCatalogueImage(app, entry));
    return sheetWork('drawCatalogueSheet', { pictures, columns, firstNumber });
  });
}
