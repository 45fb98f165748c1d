import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import {
  CatalogueError,
  describeProblems,
  locateBackground,
  locateModel,
  type Manifest,
  type ManifestProblem,
  parseManifest,
} from './manifest.ts';
import type * as PictureFactsWork from './picture-facts-work.ts';
import type { PictureFacts } from './picture-facts-work.ts';

export const MANIFEST = 'manifest.json';
/** Pictures are shown side by side as 3:4. The ratio tolerates a pixel of rounding. */
const RATIO = 3 / 4;
const RATIO_TOLERANCE = 0.01;

const readFacts = workIn<typeof PictureFactsWork>(new URL('./picture-facts-work.ts', import.meta.url));

export interface CatalogueFile {
  content: Buffer;
  contentType: 'image/webp' | 'image/avif';
  etag: string;
}

/** A background and the facts that only compositing needs. */
export interface StockedBackground extends CatalogueBackground {
  /**
   * Where its floor begins, as a share of the height measured from the top. Null when there is none or it is unknown.
   */
  floor: number | null;
}

/** All models and backgrounds. Does not change while the process runs. */
export interface Catalogue {
  models: readonly CatalogueModel[];
  backgrounds: readonly StockedBackground[];
  /** By address, for example `/backgrounds/luxury.webp`. */
  files: ReadonlyMap<string, CatalogueFile>;
}

/**
 * Reads the manifest and all its pictures into memory, a few megabytes. Throws CatalogueError with the file and line of
 * each mistake.
 */
export async function loadCatalogue(folder: string): Promise<Catalogue> {
  const { file: manifestFile, content, manifest } = await readManifest(folder);
  const pictures = [
    ...manifest.models.map((model, index) => locate(['models', index], locateModel(model), '/attached_assets')),
    ...manifest.backgrounds.map((one, index) => locate(['backgrounds', index], locateBackground(one), '')),
  ];
  const paths = pictures.map(({ onDisk }) => path.join(folder, onDisk));
  const facts = await readFacts(
    'readPictureFacts',
    paths.flatMap((file) => [`${file}.webp`, `${file}.avif`]),
  );

  const files = new Map<string, CatalogueFile>();
  const problems: ManifestProblem[] = [];
  const sizes: { width: number; height: number }[] = [];
  for (const [index, { place, onDisk, address }] of pictures.entries()) {
    const [webp, avif] = await Promise.all([
      readPicture(`${paths[index]}.webp`, 'image/webp', facts[2 * index]),
      readPicture(`${paths[index]}.avif`, 'image/avif', facts[2 * index + 1]),
    ]);
    for (const file of [webp, avif]) if ('problem' in file) problems.push({ path: place, message: file.problem });
    if ('problem' in webp || 'problem' in avif) continue;
    if (webp.width !== avif.width || webp.height !== avif.height) {
      problems.push({ path: place, message: `${onDisk}.webp и ${onDisk}.avif разного размера` });
    }
    files.set(`${address}.webp`, webp.file);
    files.set(`${address}.avif`, avif.file);
    sizes.push({ width: webp.width, height: webp.height });
  }
  if (problems.length > 0) throw describeProblems(manifestFile, content, problems);

  const present = (index: number) => {
    const { address } = pictures[index] as (typeof pictures)[number];
    return { imageUrl: `${address}.webp`, avifUrl: `${address}.avif`, ...(sizes[index] as (typeof sizes)[number]) };
  };
  return {
    models: manifest.models.map(({ prompt: _prompt, ...model }, index) => ({ ...model, ...present(index) })),
    backgrounds: manifest.backgrounds.map(({ prompt: _prompt, ...background }, index) => ({
      ...background,
      ...present(manifest.models.length + index),
    })),
    files,
  };
}

/** `place`: in the manifest. `onDisk`: without its ending, within the catalogue's folder. */
function locate(place: PropertyKey[], onDisk: string, prefix: string) {
  return { place, onDisk, address: `${prefix}/${onDisk}` };
}

/** Reads the manifest of a folder. Throws CatalogueError. */
export async function readManifest(folder: string): Promise<{ file: string; content: string; manifest: Manifest }> {
  const file = path.join(folder, MANIFEST);
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CatalogueError([`${file}: файл не читается (${error.code ?? error.message})`]);
  });
  return { file, content, manifest: parseManifest(file, content) };
}

type ReadPicture = { file: CatalogueFile; width: number; height: number } | { problem: string };

async function readPicture(
  file: string,
  contentType: CatalogueFile['contentType'],
  facts: PictureFacts | null | undefined,
): Promise<ReadPicture> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => error);
  if (content instanceof Error) return { problem: `картинка ${file} не читается (${content.code})` };
  if (facts?.mediaType !== contentType) return { problem: `${file} — не картинка ${contentType}` };
  const { width, height } = facts;
  if (Math.abs(width / height - RATIO) > RATIO_TOLERANCE) {
    return { problem: `${file} — ${width}x${height}, а нужно соотношение 3:4` };
  }
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { file: { content, contentType, etag }, width, height };
}
