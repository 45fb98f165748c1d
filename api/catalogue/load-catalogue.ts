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
  const facts = await readAllFacts([
    ...manifest.models.flatMap((model) => pathsOf(folder, locateModel(model))),
    ...manifest.backgrounds.flatMap((background) => pathsOf(folder, locateBackground(background))),
  ]);
  const files = new Map<string, CatalogueFile>();
  const problems: ManifestProblem[] = [];

  async function addPicture(place: PropertyKey[], onDisk: string, address: string) {
    const [webpFile, avifFile] = pathsOf(folder, onDisk);
    const [webp, avif] = await Promise.all([
      readPicture(webpFile, 'image/webp', facts.get(webpFile)),
      readPicture(avifFile, 'image/avif', facts.get(avifFile)),
    ]);
    for (const file of [webp, avif]) if ('problem' in file) problems.push({ path: place, message: file.problem });
    if ('problem' in webp || 'problem' in avif) return { width: 0, height: 0 };
    if (webp.width !== avif.width || webp.height !== avif.height) {
      problems.push({ path: place, message: `${onDisk}.webp и ${onDisk}.avif разного размера` });
    }
    files.set(`${address}.webp`, webp.file);
    files.set(`${address}.avif`, avif.file);
    return { width: webp.width, height: webp.height };
  }

  const models: CatalogueModel[] = [];
  for (const [index, { prompt: _prompt, ...model }] of manifest.models.entries()) {
    const onDisk = locateModel(model);
    const address = `/attached_assets/${onDisk}`;
    const size = await addPicture(['models', index], onDisk, address);
    models.push({ ...model, imageUrl: `${address}.webp`, avifUrl: `${address}.avif`, ...size });
  }
  const backgrounds: StockedBackground[] = [];
  for (const [index, { prompt: _prompt, ...background }] of manifest.backgrounds.entries()) {
    const onDisk = locateBackground(background);
    const size = await addPicture(['backgrounds', index], onDisk, `/${onDisk}`);
    backgrounds.push({ ...background, imageUrl: `/${onDisk}.webp`, avifUrl: `/${onDisk}.avif`, ...size });
  }
  if (problems.length > 0) throw describeProblems(manifestFile, content, problems);
  return { models, backgrounds, files };
}

/** A picture's two files. */
function pathsOf(folder: string, onDisk: string): readonly [webp: string, avif: string] {
  return [path.join(folder, `${onDisk}.webp`), path.join(folder, `${onDisk}.avif`)];
}

/** What all these files are, by their paths. One process reads them all. */
async function readAllFacts(paths: readonly string[]): Promise<ReadonlyMap<string, PictureFacts | null>> {
  const facts = await readFacts('readPictureFacts', paths);
  return new Map(paths.map((file, index) => [file, facts[index] ?? null]));
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
