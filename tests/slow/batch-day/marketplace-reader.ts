import sharp from 'sharp';
import type { Marketplace } from '#shared/rules/marketplaces.ts';

const MEGABYTE = 1_000_000;

interface PhotoRule {
  minPixels: { width: number; height: number } | null;
  maxSide: number | null;
  maxBytes: number | null;
}

/**
 * What the help pages of the marketplaces say of a card's photos, written down once more: a mistake in the product's own
 * table is found only by another one. Where nothing is said, what the packs promise for all applies: JPEG, sRGB, 3:4.
 */
const PHOTO_RULES: Record<Marketplace, PhotoRule> = {
  wildberries: { minPixels: { width: 900, height: 1200 }, maxSide: 8000, maxBytes: 32 * MEGABYTE },
  ozon: { minPixels: null, maxSide: null, maxBytes: null },
  yandex_market: { minPixels: null, maxSide: null, maxBytes: null },
};
const PHOTOS_OF_A_CARD = 30;
const RATIO_TOLERANCE = 0.01;
const BESIDE_THE_FILES = ['readme.txt', 'results.csv'];

/** The card's files of a pack: neither in `лишнее`, nor what tells of them. */
export function listCardFiles(pack: ReadonlyMap<string, Buffer>): string[] {
  return [...pack.keys()].filter((name) => !BESIDE_THE_FILES.includes(name) && !name.startsWith('лишнее/'));
}

/** Everything that the marketplace would refuse, a line for each. */
export async function findFaults(pack: ReadonlyMap<string, Buffer>, marketplace: Marketplace): Promise<string[]> {
  const rule = PHOTO_RULES[marketplace];
  const faults: string[] = [];
  const names = listCardFiles(pack);
  for (const name of names) {
    const content = pack.get(name) ?? Buffer.alloc(0);
    const { format, space, channels, hasAlpha, icc, orientation, width, height } = await sharp(content).metadata();
    // Reads every pixel, so that a file that ends too early is noticed.
    await sharp(content, { failOn: 'warning' }).stats();
    const complain = (fault: string) => faults.push(`${name}: ${fault}`);
    if (!name.endsWith('.jpg') || format !== 'jpeg') complain(`is ${format}`);
    if (space !== 'srgb' || channels !== 3 || hasAlpha) complain(`has the colours ${space} in ${channels} channels`);
    if (icc && !icc.toString('latin1').includes('sRGB')) complain('has another profile than sRGB');
    if (orientation !== undefined && orientation !== 1) complain('lies on its side');
    if (Math.abs(width / height / (3 / 4) - 1) > RATIO_TOLERANCE) complain(`is ${width}×${height}`);
    if (rule.minPixels && (width < rule.minPixels.width || height < rule.minPixels.height)) {
      complain(`has only ${width}×${height}`);
    }
    if (rule.maxSide && Math.max(width, height) > rule.maxSide) complain(`has as much as ${width}×${height}`);
    if (rule.maxBytes && content.length > rule.maxBytes) complain(`has ${content.length} bytes`);
  }
  const cards = Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf('/')));
  for (const [card, files] of cards) {
    if (files.length > PHOTOS_OF_A_CARD) faults.push(`${card}: ${files.length} photos`);
  }
  return faults;
}

/** The cells of a table as Excel writes and reads it here. Throws when it is no UTF-8 with a mark. */
export function readCsv(content: Buffer): string[][] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  if (!text.startsWith('\u{feff}')) throw new Error('Excel would read it as Windows-1251');
  return text
    .slice(1)
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) =>
      [...`;${line}`.matchAll(/;(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );
}
