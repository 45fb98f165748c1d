import * as z from 'zod/mini';
import { ARCHIVE_MAX_FILES } from '#shared/contract/gallery.ts';
import { EXPORT_FIXES } from '#shared/rules/marketplaces.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { GENERATION_PARAMETER } from '#shared/rules/result-links.ts';
import type { WayBack } from './way-back.ts';

/** Query parameter with what a page offers to download at once. */
export const DOWNLOAD_PARAMETER = 'download';

const id = z.string().check(z.regex(/^[\w-]{1,64}$/));
const wantedDownload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), videoId: id }),
  z.object({ kind: z.literal('image'), imageId: id }),
  /** A result converted for a marketplace. */
  z.object({ kind: z.literal('export'), resultId: id, fix: z.enum(EXPORT_FIXES) }),
  /** A ZIP of chosen results. */
  z.object({
    kind: z.literal('archive'),
    ids: z.array(id).check(z.minLength(1), z.maxLength(ARCHIVE_MAX_FILES)),
  }),
  /** A ZIP of a photo session's frames. */
  z.object({ kind: z.literal('session'), sessionId: id, count: z.int().check(z.positive()) }),
]);
/** A file that only paid accounts can download. */
export type WantedDownload = z.infer<typeof wantedDownload>;

/**
 * The way back from a payment to the open page, which then offers this download. `generationId`: the generation that
 * the page shows; null where it shows a list.
 */
export function buildWayBack(wanted: WantedDownload, generationId: string | null): WayBack {
  const query = new URLSearchParams(location.search);
  if (generationId !== null) query.set(GENERATION_PARAMETER, generationId);
  query.set(DOWNLOAD_PARAMETER, JSON.stringify(toWanted(wanted)));
  const label = describeWanted(wanted);
  return { path: `${location.pathname}?${query}`, label, purpose: label };
}

/** A way back without the download that it offers, for whoever has not paid. */
export function withoutDownload(place: WayBack): WayBack {
  const { pathname, searchParams } = new URL(place.path, 'https://podium.invalid');
  if (!searchParams.has(DOWNLOAD_PARAMETER)) return place;
  searchParams.delete(DOWNLOAD_PARAMETER);
  const query = searchParams.toString();
  return { ...place, path: query === '' ? pathname : `${pathname}?${query}`, label: 'Вернуться к результату' };
}

/** Null for a text that names no download. */
export function parseWantedDownload(text: string): WantedDownload | null {
  try {
    return wantedDownload.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Without what a page knows beside it. */
function toWanted(wanted: WantedDownload): WantedDownload {
  return wantedDownload.parse(wanted);
}

function describeWanted(wanted: WantedDownload): string {
  if (wanted.kind === 'video') return 'Скачать видео';
  if (wanted.kind === 'image') return 'Скачать изображение';
  if (wanted.kind === 'export') return 'Скачать файл для маркетплейса';
  const count = wanted.kind === 'archive' ? wanted.ids.length : wanted.count;
  return `Скачать ${count}\u00a0${pluralize(count, ['файл', 'файла', 'файлов'])} (ZIP)`;
}
