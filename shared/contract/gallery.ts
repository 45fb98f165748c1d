import { z } from 'zod';
import { GALLERY_TYPES, RESULT_KINDS } from '#shared/rules/tools.ts';
import { defineEndpoint } from './endpoint.ts';
import { uploadedPhoto } from './uploads.ts';

/** The newest that the answer without a limit holds. */
export const GALLERY_MAX_LIMIT = 200;
export const ARCHIVE_MAX_FILES = 50;

export const galleryImage = z.object({
  id: z.string(),
  /** The generation that made it, perhaps with other images. */
  generationId: z.string(),
  title: z.string(),
  description: z.string().optional(),
  /** What this owner may see in full size: the original after a payment, else the copy with the logo. */
  imageUrl: z.string(),
  /** A preview of it, in WebP. */
  displayUrl: z.string(),
  thumbnailUrl: z.string(),
  originalImageUrl: z.string(),
  /** What to send to POST /api/download-image. */
  downloadUrl: z.string(),
  createdAt: z.iso.datetime(),
  generationType: z.enum(GALLERY_TYPES),
  /** What it really is: a change of model may have been one of the background alone. */
  made: z.enum(RESULT_KINDS),
  metadata: z.object({ photoshootSessionId: z.string().optional() }),
  canDownload: z.boolean(),
  /** Whether the original may be had, and has the pixels that a marketplace wants. */
  isOptimized: z.boolean(),
  width: z.int(),
  height: z.int(),
  /** Of the original file. */
  bytes: z.int(),
  hasWatermark: z.boolean(),
});
export type GalleryImage = z.infer<typeof galleryImage>;

export const listGallery = defineEndpoint({
  method: 'GET',
  path: '/api/gallery',
  summary: 'Images of the account, newest first',
  access: 'account',
  query: z.object({
    cursor: z.string().max(64).optional(),
    limit: z.coerce.number().int().min(1).max(GALLERY_MAX_LIMIT).default(GALLERY_MAX_LIMIT),
    type: z.enum(GALLERY_TYPES).optional(),
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({
    images: z.array(galleryImage),
    userStatus: z.object({ canDownloadOriginals: z.boolean() }),
    /** Sent back as `cursor` for what follows; null at the end. */
    nextCursor: z.string().nullable(),
  }),
});

const byItemId = z.object({ id: z.string().min(1).max(64) });
/** `id`: of a gallery image, or of a video. */
export const deleteGalleryItem = defineEndpoint({
  method: 'DELETE',
  path: '/api/gallery/:id',
  summary: 'Hides an image or a video; it can be brought back for 30 days',
  access: 'account',
  params: byItemId,
  errors: ['image_not_found', 'image_forbidden'],
});
export const restoreGalleryItem = defineEndpoint({
  method: 'POST',
  path: '/api/gallery/:id/restore',
  summary: 'Brings a hidden image or video back',
  access: 'account',
  params: byItemId,
  errors: ['image_not_found', 'image_forbidden'],
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
  params: byItemId,
  answer: uploadedPhoto,
  errors: ['image_not_found', 'image_forbidden'],
});
/** A ZIP of chosen images and videos, streamed; for paid accounts. */
export const downloadArchive = defineEndpoint({
  method: 'GET',
  path: '/api/gallery/archive',
  summary: 'Chosen originals as a ZIP',
  access: 'account',
  query: z.object({
    ids: z
      .string()
      .transform((text) => text.split(',').filter(Boolean))
      .pipe(z.array(z.string().max(64)).min(1).max(ARCHIVE_MAX_FILES)),
  }),
  errors: ['image_not_found', 'image_forbidden', 'premium_required'],
});
