import { nameFile, nameStem } from './download-names.ts';
import {
  BYTES_PER_MEGABYTE,
  chooseRatioFix,
  hasRatio,
  isShorter,
  listUnknown,
  MARKETPLACE_MAX_FILES,
  MARKETPLACE_RULES,
  type Marketplace,
  planCrop,
  planMargins,
  planPadding,
  TARGET_RATIO,
} from './marketplaces.ts';
import { fillNameTemplate, type NamedResult } from './result-names.ts';

/** Results in one pack, and what their originals weigh together. */
export const PACK_FILES_MAX = 1_000;
export const PACK_BYTES_MAX = 1_000_000_000;
/** Videos of one pack that are encoded again. All packs are made one after another, so a large one holds up the others. */
export const PACK_ENCODED_VIDEOS_MAX = 200;
/** Packs of an account that are being made at the same time: one for each marketplace. */
export const PACKS_MADE_AT_ONCE = 3;
/** Packs that an account keeps, and their bytes: room for the largest ones of all marketplaces. */
export const PACKS_MAX = 30;
export const PACK_KEPT_BYTES_MAX = 4_000_000_000;
/** How long a pack is kept. */
export const PACK_KEPT_DAYS = 7;
export const PACK_TEMPLATE_MAX_LENGTH = 80;
/** `{№}` counts the files of an article, the main picture first. */
export const DEFAULT_PACK_TEMPLATE = '{артикул}_{№}';
/** Where files lie that a card does not take. */
export const EXTRA_FOLDER = 'лишнее';

/** What a picture is made as when the marketplace states no size: 3:4, this large, JPEG, sRGB. */
const USUAL_PICTURE = { width: 1200, height: 1600 };
/** A picture that is enlarged more than this is visibly blurred. */
const ENLARGED_AT_MOST = 1.5;

interface Size {
  width: number;
  height: number;
}

/** What is known of a result before it is adapted. */
export interface PackedFile extends Size {
  contentType: string;
  bytes: number;
  /** Null for a still picture. */
  durationSeconds: number | null;
}

/** How a picture becomes a JPEG for a marketplace. Null for what is left out. Applied in this order. */
export interface PicturePlan {
  crop: (Size & { left: number; top: number }) | null;
  pad: { left: number; top: number; right: number; bottom: number } | null;
  resize: Size | null;
  /** Null: not stated. */
  maxBytes: number | null;
}

/** How a video becomes one for a marketplace. Applied in this order. */
export interface VideoPlan {
  /** In even numbers of pixels, in proportion. */
  resize: Size | null;
  /** At least so many seconds, without a visible seam. */
  minSeconds: number | null;
  /** Null: not stated. */
  maxBytes: number | null;
}

export interface FilePlan {
  /** Null: the file is taken as it is. */
  picture: PicturePlan | null;
  video: VideoPlan | null;
  /** What is changed, as a person reads it after the name of the file. */
  changes: string[];
  /** What cannot be changed, and why. The marketplace would refuse the file. */
  problems: string[];
}

/** What a file needs so that the marketplace takes it. Rules that the marketplace does not state are not checked. */
export function planFile(file: PackedFile, marketplace: Marketplace): FilePlan {
  return file.durationSeconds === null ? planPicture(file, marketplace) : planVideo(file, marketplace);
}

function planPicture(file: PackedFile, marketplace: Marketplace): FilePlan {
  const rules = MARKETPLACE_RULES[marketplace].photo;
  const changes: string[] = [];
  const problems: string[] = [];
  const plan: PicturePlan = { crop: null, pad: null, resize: null, maxBytes: bytesOf(rules.maxMegabytes) };
  let size: Size = { width: file.width, height: file.height };
  if (!hasRatio(size, TARGET_RATIO)) {
    if (chooseRatioFix(size) === 'crop_3_4') {
      plan.crop = planCrop(size);
      changes.push('кадрирована до 3:4');
      size = plan.crop;
    } else {
      plan.pad = planMargins(size);
      changes.push('дополнена полями до 3:4');
      size = planPadding(size);
    }
  }
  const enlargement = USUAL_PICTURE.width / size.width;
  if (enlargement > 1 && enlargement <= ENLARGED_AT_MOST) {
    plan.resize = USUAL_PICTURE;
    changes.push(`увеличена с ${nameSize(size)} до ${nameSize(USUAL_PICTURE)}`);
  } else if (rules.minPixels && (size.width < rules.minPixels.width || size.height < rules.minPixels.height)) {
    problems.push(
      `нужно не меньше ${nameSize(rules.minPixels)} пикселей, а у картинки ${nameSize(size)}: от большего увеличения она станет нерезкой`,
    );
  }
  const longest = rules.longSidePixels?.max ?? Number.POSITIVE_INFINITY;
  if (Math.max(size.width, size.height) > longest) {
    plan.resize = scale(size, longest / Math.max(size.width, size.height));
    changes.push(`уменьшена с ${nameSize(size)} до ${nameSize(plan.resize)}`);
  }
  if (file.contentType !== 'image/jpeg') changes.push('переведена в JPEG');
  if (plan.maxBytes !== null && file.bytes > plan.maxBytes) changes.push(`сжата до ${rules.maxMegabytes} МБ`);
  return { picture: changes.length > 0 ? plan : null, video: null, changes, problems };
}

function planVideo(file: PackedFile, marketplace: Marketplace): FilePlan {
  const rules = MARKETPLACE_RULES[marketplace].video;
  const changes: string[] = [];
  const problems: string[] = [];
  const plan: VideoPlan = { resize: null, minSeconds: null, maxBytes: bytesOf(rules.maxMegabytes) };
  const { durationSeconds } = file;
  const long = Math.max(file.width, file.height);
  if (rules.longSidePixels) {
    const wanted = Math.min(Math.max(long, rules.longSidePixels.min), rules.longSidePixels.max);
    const factor = wanted / long;
    if (factor > ENLARGED_AT_MOST) {
      const { min } = rules.longSidePixels;
      problems.push(
        `длинная сторона нужна от ${min} пикселей, а у видео ${long}: от большего увеличения оно станет нерезким`,
      );
    } else if (factor !== 1) {
      plan.resize = makeEven(scale(file, factor));
      changes.push(`${factor > 1 ? 'увеличено' : 'уменьшено'} с ${nameSize(file)} до ${nameSize(plan.resize)}`);
    }
  }
  if (rules.seconds && durationSeconds !== null) {
    const { min, max } = rules.seconds;
    if (isShorter(durationSeconds, min)) {
      plan.minSeconds = min;
      changes.push(
        `удлинено с ${formatSeconds(durationSeconds)} до ${formatSeconds(min)} с или больше, без видимого стыка`,
      );
    }
    if (durationSeconds > max) {
      problems.push(
        `видео нужно до ${max} с, а у этого ${formatSeconds(durationSeconds)} с: лишнее нельзя отрезать наугад`,
      );
    }
  }
  if (plan.maxBytes !== null && file.bytes > plan.maxBytes) changes.push(describeShrinking(plan.maxBytes));
  return { picture: null, video: changes.length > 0 ? plan : null, changes, problems };
}

/** How a video that was encoded in fewer bytes is told of. */
export function describeShrinking(maxBytes: number): string {
  return `сжато до ${maxBytes / BYTES_PER_MEGABYTE} МБ`;
}

function bytesOf(megabytes: number | null): number | null {
  return megabytes === null ? null : megabytes * BYTES_PER_MEGABYTE;
}

function scale({ width, height }: Size, factor: number): Size {
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
}

/** H.264 in 4:2:0 needs even sizes. */
function makeEven({ width, height }: Size): Size {
  return { width: 2 * Math.round(width / 2), height: 2 * Math.round(height / 2) };
}

function nameSize({ width, height }: Size): string {
  return `${width}×${height}`;
}

function formatSeconds(seconds: number): string {
  return seconds.toLocaleString('ru-RU', { maximumFractionDigits: 1 });
}

/** A result and what it is called after. */
export interface PackItem extends PackedFile {
  named: NamedResult;
}

/** A file of a pack. */
export interface ArrangedFile<Item extends PackItem> {
  item: Item;
  /** Its place in the ZIP, such as `ART-123/ART-123_1.jpg` or `лишнее/ART-123_31.jpg`. */
  path: string;
  /** Why it lies in `лишнее`, as a person reads it. Null where it belongs to the card. */
  extra: string | null;
  plan: FilePlan;
}

/**
 * The files of a pack in their order: by article as the items come, pictures before videos. What a card takes no more of,
 * and what the marketplace would refuse, lies in a folder of its own.
 */
export function arrangePack<Item extends PackItem>(
  items: readonly Item[],
  { marketplace, template }: { marketplace: Marketplace; template: string },
): ArrangedFile<Item>[] {
  // Articles that differ only in what no file name keeps share a folder and its numbers.
  const groups = [...Map.groupBy(items, ({ named }) => nameFolder(named).toLowerCase()).values()];
  return groups.flatMap((group) => {
    const folder = groups.length > 1 && group[0] ? `${nameFolder(group[0].named)}/` : '';
    const counts = { photo: 0, video: 0 };
    const ordered = [...group].sort((a, b) => Number(a.durationSeconds !== null) - Number(b.durationSeconds !== null));
    return ordered.map((item, index) => {
      const plan = planFile(item, marketplace);
      const medium = item.durationSeconds === null ? 'photo' : 'video';
      const most = MARKETPLACE_MAX_FILES[marketplace][medium];
      if (plan.problems.length === 0) counts[medium] += 1;
      const isOver = plan.problems.length === 0 && counts[medium] > most;
      const extra = isOver
        ? `карточка принимает не больше ${most} ${medium === 'photo' ? 'фото' : 'видео'}`
        : plan.problems.join('; ') || null;
      const name = namePacked(template, { ...item.named, number: index + 1 }, item, plan);
      return { item, plan, extra, path: `${extra === null ? '' : `${EXTRA_FOLDER}/`}${folder}${name}` };
    });
  });
}

/** A file that cannot be made fit goes as it is to what a card does not take. */
export function moveToExtra<Item extends PackItem>(file: ArrangedFile<Item>, problem: string): ArrangedFile<Item> {
  const { item, plan, path, extra } = file;
  const start = path.lastIndexOf('/') + 1;
  const name = nameFile(path.slice(start, path.lastIndexOf('.')), item.contentType);
  return {
    item,
    plan: { ...plan, changes: [], problems: [...plan.problems, problem] },
    path: `${extra === null ? `${EXTRA_FOLDER}/` : ''}${path.slice(0, start)}${name}`,
    extra: extra === null ? problem : `${extra}; ${problem}`,
  };
}

/** How many videos are encoded again. */
export function countEncodedVideos(files: readonly { plan: FilePlan }[]): number {
  return files.filter(({ plan }) => plan.video !== null).length;
}

/** About so many bytes the files take in a pack. A video that is lengthened is usually repeated once. */
export function estimateBytes(files: readonly { item: PackedFile; plan: FilePlan }[]): number {
  return files.reduce((sum, { item, plan }) => sum + item.bytes * (plan.video?.minSeconds ? 2 : 1), 0);
}

/** Files are put together by article, or by the name of the photo where there is none. */
function nameFolder({ article, photoName }: NamedResult): string {
  return nameStem(article ?? photoName);
}

function namePacked(template: string, named: NamedResult, { contentType }: PackedFile, { picture }: FilePlan): string {
  return nameFile(nameStem(fillNameTemplate(template, named)), picture ? 'image/jpeg' : contentType);
}

/** The paths that several files would have. Whatever their case: most disks do not tell it apart. */
export function listCollisions(files: readonly { path: string }[]): string[] {
  const byKey = Map.groupBy(files, ({ path }) => path.toLowerCase());
  return [...byKey.values()].flatMap((same) => (same.length > 1 && same[0] ? [same[0].path] : []));
}

/** What the marketplace does not state, for each medium that is among the files: «фото: размер файла». */
export function listUnchecked(files: readonly PackedFile[], marketplace: Marketplace): string[] {
  const media = [
    ['фото', MARKETPLACE_RULES[marketplace].photo, files.find(({ durationSeconds }) => durationSeconds === null)],
    ['видео', MARKETPLACE_RULES[marketplace].video, files.find(({ durationSeconds }) => durationSeconds !== null)],
  ] as const;
  return media.flatMap(([word, rules, file]) => {
    const unknown = file ? listUnknown(file, rules) : [];
    return unknown.length > 0 ? [`${word}: ${unknown.join(', ')}`] : [];
  });
}
