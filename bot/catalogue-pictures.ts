import { InputFile } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import { getCatalogueSheet } from '#api/services/telegram/catalogue-sheets.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';

const COLUMNS = 4;

/** The entries of a page side by side; each picture carries the number of its button. */
export function drawOffer(
  app: AppContext,
  entries: readonly { imageUrl: string }[],
  firstNumber: number,
): Promise<InputFile> {
  return draw(app, { entries, columns: Math.min(COLUMNS, Math.max(1, entries.length)), firstNumber });
}

/** What was chosen. */
export function drawChoice(
  app: AppContext,
  { model, background }: { model: CatalogueModel | null; background: CatalogueBackground },
): Promise<InputFile> {
  const entries = model ? [model, background] : [background];
  return draw(app, { entries, columns: entries.length, firstNumber: null });
}

async function draw(app: AppContext, sheet: Parameters<typeof getCatalogueSheet>[1]): Promise<InputFile> {
  return new InputFile(await getCatalogueSheet(app, sheet), 'catalogue.jpg');
}
