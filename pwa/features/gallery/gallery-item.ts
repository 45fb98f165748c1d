import type { ShareTarget } from '#pwa/features/downloads/share-button.tsx';
import { nb } from '#pwa/format.ts';
import type { GalleryImage } from '#shared/contract/gallery.ts';
import type { ResultLoss } from '#shared/contract/generation-outcomes.ts';
import type { ResultName } from '#shared/contract/result-name.ts';
import type { Video } from '#shared/contract/videos.ts';
import type { JudgedFile } from '#shared/rules/marketplaces.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { RESULT_WORDS, type ResultKind, type ResultWords } from '#shared/rules/tools.ts';
import { GALLERY_TEXTS } from './gallery-texts.ts';

interface ItemHead {
  id: string;
  generationId: string;
  /** Index among the results of its generation, from 0. */
  position: number;
  /** How it is named, and the name of its generation. */
  name: ResultName;
  title: string;
  description: string | null;
  /** What it really is. */
  made: ResultKind;
  /** The name of its kind, shown on the picture. */
  tag: string;
  /** A small picture for the card; null shows a silhouette. */
  pictureUrl: string | null;
  createdAt: string;
  canDownload: boolean;
  downloadLabel: string;
  /** Whether the garment differs from the photo. False also while nobody knows. */
  hasDrifted: boolean;
  /** Null while its file is there. */
  loss: ResultLoss | null;
  /** The file as its owner would upload it to a marketplace. */
  file: JudgedFile;
}

export type GalleryItem = ItemHead &
  ({ kind: 'image'; fullUrl: string } | { kind: 'video'; video: Video & { url: string } });

const WORDS: { readonly [resultKind: string]: ResultWords | undefined } = RESULT_WORDS;

/** The tag on a picture of this kind. A kind that only a newer server knows gets a general one. */
export function tagResult(resultKind: string): string {
  return WORDS[resultKind]?.tag ?? 'Неизвестно';
}

export function toImageItem(image: GalleryImage): GalleryItem & { kind: 'image' } {
  return {
    kind: 'image',
    id: image.id,
    generationId: image.generationId,
    position: image.position,
    name: image,
    title: image.title,
    description: image.description ?? null,
    made: image.made,
    tag: tagResult(image.made),
    pictureUrl: addressVersion(image.displayUrl || image.imageUrl, image),
    fullUrl: addressVersion(image.imageUrl, image),
    createdAt: image.createdAt,
    hasDrifted: image.hasDrifted,
    loss: image.loss ?? null,
    canDownload: image.canDownload,
    downloadLabel: image.canDownload && image.isOptimized ? GALLERY_TEXTS.original : GALLERY_TEXTS.download,
    file: {
      width: image.width,
      height: image.height,
      bytes: image.bytes,
      durationSeconds: null,
      hasWatermark: image.hasWatermark,
    },
  };
}

/**
 * A URL that changes with the watermark. The same address serves the original after a payment, and an open page would
 * keep showing its cached copy.
 */
function addressVersion(url: string, { hasWatermark }: Pick<GalleryImage, 'hasWatermark'>): string {
  return hasWatermark ? url : `${url}?original`;
}

/** `canDownload`: the owner has ever paid. Others get the copy with the logo. Null for a video without a file. */
export function toVideoItem(video: Video, canDownload: boolean): (GalleryItem & { kind: 'video' }) | null {
  const url = video.videoUrl ?? video.url;
  if (url === null) return null;
  const posterUrl = video.posterUrl ?? video.thumbnail;
  return {
    kind: 'video',
    id: video.videoId,
    generationId: video.generationId,
    position: video.position,
    name: video,
    title: video.title,
    description: describeLength(video),
    made: 'video',
    tag: tagResult('video'),
    pictureUrl: posterUrl && addressVersion(posterUrl, { hasWatermark: !canDownload }),
    video: { ...video, url },
    createdAt: video.createdAt,
    hasDrifted: video.hasDrifted,
    loss: video.loss ?? null,
    canDownload,
    downloadLabel: canDownload ? GALLERY_TEXTS.original : GALLERY_TEXTS.download,
    file: {
      width: video.width,
      height: video.height,
      bytes: video.bytes,
      durationSeconds: video.duration,
      hasWatermark: !canDownload,
    },
  };
}

/** «Видео, 5 секунд» */
function describeLength({ duration }: Pick<Video, 'duration'>): string {
  const seconds = Math.round(duration);
  return nb(`Видео, ${seconds} ${pluralize(seconds, ['секунда', 'секунды', 'секунд'])}`);
}

/** A result as what can be downloaded or shared. */
export function toTarget(item: GalleryItem): Exclude<ShareTarget, { kind: 'picture' }> {
  if (item.kind === 'video') return { kind: 'video', videoId: item.id, pictureUrl: item.pictureUrl };
  return { kind: 'image', imageId: item.id, pictureUrl: item.pictureUrl ?? item.fullUrl };
}
