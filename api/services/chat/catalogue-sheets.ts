import type { AppContext } from '#api/services/app-context.ts';
import { sheetWork } from './sheets.ts';

export interface CatalogueSheet {
  entries: readonly { imageUrl: string }[];
  columns: number;
  /** The number on the first picture. Null for pictures without numbers. */
  firstNumber: number | null;
}

/** A JPEG of some tens of kilobytes. The catalogue does not change while the process runs. */
export function getCatalogueSheet(
  app: Pick<AppContext, 'catalogue' | 'state'>,
  sheet: CatalogueSheet,
): Promise<Buffer> {
  const key = [sheet.firstNumber, sheet.columns, ...sheet.entries.map(({ imageUrl }) => imageUrl)].join(' ');
  return app.state.caches.catalogueSheets.get(key, () => drawSheet(app, sheet));
}

async function drawSheet(
  { catalogue }: Pick<AppContext, 'catalogue'>,
  { entries, columns, firstNumber }: CatalogueSheet,
): Promise<Buffer> {
  const pictures = entries.map(({ imageUrl }) => {
    const file = catalogue.files.get(imageUrl);
    if (!file) throw new Error(`The catalogue has no ${imageUrl}`);
    return file.content;
  });
  return sheetWork('drawCatalogueSheet', { pictures, columns, firstNumber });
}
