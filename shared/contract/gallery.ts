import * as z from 'zod/mini';
import { TITLE_MAX_LENGTH } from '#shared/rules/result-names.ts';
import { GALLERY_TYPES, RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';
import { resultLoss } from './generation-outcomes.ts';
import { byId, idText, lineOfText, pageCursor, searchText } from './ids.ts';
import { ITEM_REFUSALS } from './item-refusals.ts';
import { resultName } from './result-name.ts';
import { uploadedPhoto } from './uploads.ts';
import { video } from './videos.ts';

/** Number of the newest items in an answer without a limit. */
export const GALLERY_MAX_LIMIT = 200;
export const ARCHIVE_MAX_FILES = 50;

export const galleryImage = z.object({
  id: z.string(),
  generationId: z.string(),
  ...resultName,
  description: z.optional(z.string()),
  /** What this owner may see in full size: the original after a payment, otherwise the copy with the logo. */
  imageUrl: z.string(),
  /** A preview in WebP. */
  displayUrl: z.string(),
  thumbnailUrl: z.string(),
  originalImageUrl: z.string(),
  /** The value for POST /api/download-image. */
  downloadUrl: z.string(),
  createdAt: z.iso.datetime(),
  generationType: z.enum(GALLERY_TYPES),
  /** What it really is. A change of model may have changed only the background. */
  made: z.enum(RESULT_KINDS),
  metadata: z.object({ photoshootSessionId: z.optional(z.string()) }),
  canDownload: z.boolean(),
  /** Whether the owner may download the original and it has the size that marketplaces need. */
  isOptimized: z.boolean(),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  hasWatermark: z.boolean(),
  /** Whether colour or print of the garment differ from the photo. False also while nobody knows. */
  hasDrifted: z.boolean(),
  /** Absent while its file is there. */
  loss: z.optional(resultLoss),
});
export type GalleryImage = z.infer<typeof galleryImage>;

export const listGallery = defineEndpoint({
  method: 'GET',
  path: '/api/gallery',
  summary: 'Images of the account, newest first',
  access: 'account',
  query: z.object({
    cursor: pageCursor,
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(GALLERY_MAX_LIMIT)), GALLERY_MAX_LIMIT),
    type: z.optional(z.enum(GALLERY_TYPES)),
    sort: z._default(z.enum(['newest', 'oldest']), 'newest'),
  }),
  answer: z.object({
    images: z.array(galleryImage),
    userStatus: z.object({ canDownloadOriginals: z.boolean() }),
    /** The `cursor` of the next page. Null at the end. */
    nextCursor: z.nullable(z.string()),
  }),
});

export const galleryItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('image'), image: galleryImage }),
  z.object({ kind: z.literal('video'), video }),
]);

/** Images and videos together. Frames of a photo session follow each other. */
export const listResults = defineEndpoint({
  method: 'GET',
  path: '/api/results',
  summary: 'Images and videos of the account, newest first; `search` looks in articles, names and tools',
  access: 'account',
  query: z.object({
    cursor: pageCursor,
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(GALLERY_MAX_LIMIT)), 48),
    sort: z._default(z.enum(['newest', 'oldest']), 'newest'),
    /** Id of a product. */
    product: z.optional(idText),
    search: searchText,
  }),
  answer: z.object({
    items: z.array(galleryItem),
    userStatus: z.object({ canDownloadOriginals: z.boolean() }),
    /** The `cursor` of the next page. Null at the end. */
    nextCursor: z.nullable(z.string()),
  }),
  errors: ['product_not_found', 'product_forbidden'],
});

/** Results that are renamed at once. */
export const RENAMED_MAX = 200;
export const renameBody = z.object({
  ids: z.array(idText).check(z.minLength(1), z.maxLength(RENAMED_MAX)),
  title: z.nullable(
    lineOfText(TITLE_MAX_LENGTH, {
      missing: 'Введите название',
      tooLong: `Название должно быть не длиннее ${TITLE_MAX_LENGTH} символов`,
      unprintable: 'В названии есть недопустимые символы',
    }),
  ),
});
/** `title`: with placeholders (`fillNameTemplate`) for each result; null gives the usual names back. All or nothing. */
export const renameResults = defineEndpoint({
  method: 'POST',
  path: '/api/gallery/rename',
  summary: 'Names images and videos, also many by one template',
  access: 'account',
  body: renameBody,
  answer: z.object({ names: z.array(z.object({ id: z.string(), title: z.string(), fileName: z.string() })) }),
  errors: [...ITEM_REFUSALS, 'too_many_requests'],
});

/** `id`: of a gallery image or of a video. */
export const deleteGalleryItem = defineEndpoint({
  method: 'DELETE',
  path: '/api/gallery/:id',
  summary: 'Hides an image or a video; it can be brought back for 30 days',
  access: 'account',
  params: byId,
  errors: [...ITEM_REFUSALS],
});
export const restoreGalleryItem = defineEndpoint({
  method: 'POST',
  path: '/api/gallery/:id/restore',
  summary: 'Brings a hidden image or video back',
  access: 'account',
  params: byId,
  errors: [...ITEM_REFUSALS],
});
export const deletedItem = z.object({
  id: z.string(),
  kind: z.enum(['image', 'video']),
  generationId: z.string(),
  ...resultName,
  made: z.enum(RESULT_KINDS),
  /** The still, in WebP: with the logo until the owner has paid. */
  pictureUrl: z.string(),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime(),
  removedAt: z.iso.datetime(),
  isLost: z.boolean(),
});
export type DeletedItem = z.infer<typeof deletedItem>;

export const listDeletedItems = defineEndpoint({
  method: 'GET',
  path: '/api/gallery/deleted',
  summary: 'Hidden images and videos that can be brought back, the one deleted last first',
  access: 'account',
  query: z.object({
    cursor: pageCursor,
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(GALLERY_MAX_LIMIT)), GALLERY_MAX_LIMIT),
  }),
  answer: z.object({
    items: z.array(deletedItem),
    /** The `cursor` of the next page. Null at the end. */
    nextCursor: z.nullable(z.string()),
  }),
});
/** Only for a hidden one. Its files go at once. */
export const removeDeletedItem = defineEndpoint({
  method: 'DELETE',
  path: '/api/gallery/deleted/:id',
  summary: 'Removes a hidden image or video for good',
  access: 'account',
  params: byId,
  errors: [...ITEM_REFUSALS],
});
/**
 * Makes a gallery image the source of another tool, in original quality even if its owner may not download the
 * original.
 */
export const pickFromGallery = defineEndpoint({
  method: 'POST',
  path: '/api/gallery/:id/pick',
  summary: 'A photo made from a gallery image, to be used like an uploaded one',
  access: 'account',
  params: byId,
  answer: uploadedPhoto,
  errors: [...ITEM_REFUSALS],
});
/** A ZIP of the chosen images and videos, streamed. Only for accounts that have paid. */
export const downloadArchive = defineEndpoint({
  method: 'GET',
  path: '/api/gallery/archive',
  summary: 'Chosen originals as a ZIP',
  access: 'account',
  query: z.object({
    ids: z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => text.split(',').filter(Boolean)),
      ),
      z.array(z.string().check(z.maxLength(64))).check(z.minLength(1), z.maxLength(ARCHIVE_MAX_FILES)),
    ),
  }),
  errors: [...ITEM_REFUSALS, 'premium_required'],
});
