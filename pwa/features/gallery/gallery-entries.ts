import type { DownloadTarget } from '#pwa/features/downloads/download-file.ts';
import { formatDay } from '#pwa/format.ts';
import { productPath } from '#pwa/paths.ts';
import { nameGeneration } from '#shared/rules/result-names.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { type GalleryItem, toTarget } from './gallery-item.ts';

/** What has one card: a result, or the frames of a photo session in their order. Never empty. */
export type Entry<Item> = readonly [Item, ...Item[]];
export type GalleryEntry = Entry<GalleryItem>;
type Placed = Pick<GalleryItem, 'generationId' | 'made' | 'position'>;

/** Puts the frames of each photo session together, at the place of the first one, but of the sessions in `opened`. */
export function groupFrames<Item extends Placed>(items: readonly Item[], opened: ReadonlySet<string>): Entry<Item>[] {
  const sessions = new Map<string, Item[]>();
  const groups: Item[][] = [];
  for (const item of items) {
    const session = isFrame(item) && !opened.has(item.generationId) ? sessions.get(item.generationId) : undefined;
    if (session) {
      session.push(item);
      continue;
    }
    const group = [item];
    groups.push(group);
    if (isFrame(item)) sessions.set(item.generationId, group);
  }
  return groups.map((group) => group.sort((a, b) => a.position - b.position) as unknown as Entry<Item>);
}

export function isFrame({ made }: Pick<GalleryItem, 'made'>): boolean {
  return made === 'photosession' && TOOLS.photosession.outputs.count > 1;
}

/**
 * What a download of it takes: a result as it is, or all frames of the session as a ZIP, also those that the list has not
 * loaded or not found.
 */
export function toEntryTarget([item, ...others]: GalleryEntry): DownloadTarget {
  if (others.length === 0) return toTarget(item);
  const { generationId: sessionId, pictureUrl } = item;
  return { kind: 'session', sessionId, count: others.length + 1, pictureUrl };
}

/** What is written below the card: «ART-123, Фотосессия 1» for several frames. */
export function titleEntry([first, ...others]: Entry<Pick<GalleryItem, 'title' | 'name' | 'made'>>): string {
  return others.length === 0 || first.name.isRenamed
    ? first.title
    : nameGeneration({ ...first.name, article: first.name.product?.article ?? null, made: first.made });
}

export const HEADINGS = ['day', 'product'] as const;
/** What the results stand below: the day on which they were made, or their product. */
export type Headings = (typeof HEADINGS)[number];

export interface GallerySection {
  key: string;
  title: string;
  /** The page of its product. */
  path: string | null;
  entries: GalleryEntry[];
}

/** The entries below their headings, which stand in the order of their first entries. */
export function splitIntoSections(entries: readonly GalleryEntry[], headings: Headings): GallerySection[] {
  const sections = new Map<string, GallerySection>();
  for (const entry of entries) {
    const { key, ...head } = headings === 'day' ? headDay(entry[0]) : headProduct(entry[0]);
    const section = sections.get(key);
    if (section) section.entries.push(entry);
    else sections.set(key, { key, ...head, entries: [entry] });
  }
  return [...sections.values()];
}

function headDay({ createdAt }: GalleryItem): Omit<GallerySection, 'entries'> {
  return { key: new Date(createdAt).toDateString(), title: formatDay(createdAt), path: null };
}

function headProduct({ name: { product } }: GalleryItem): Omit<GallerySection, 'entries'> {
  if (product === null) return { key: 'none', title: 'Без товара', path: null };
  return { key: product.id, title: product.article, path: productPath(product.id) };
}
