import * as z from 'zod/mini';
import { SUBJECT_KINDS } from '#shared/rules/suiting-backgrounds.ts';
import { defineEndpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { byId } from './ids.ts';
import { productMark } from './product-mark.ts';
import { STORAGE_ERRORS } from './storage-errors.ts';

export const uploadedPhoto = z.object({
  id: z.string(),
  name: z.string(),
  /** Size of the stored master in pixels, after the EXIF rotation. */
  width: z.int(),
  height: z.int(),
  size: z.int(),
  type: z.string(),
  previewUrl: z.string(),
  thumbnailUrl: z.string(),
  /** Null without one. */
  product: z.nullable(productMark),
  /** The article that the file's name suggests. The first generation, or its owner, accepts it. Null without one. */
  guessedArticle: z.nullable(z.string()),
});
export type UploadedPhoto = z.infer<typeof uploadedPhoto>;

export const PHOTO_ERRORS = [
  'photo_missing',
  'photo_not_image',
  'photo_format_refused',
  'photo_heic_unsupported',
  'photo_avif_unsupported',
  'photo_too_large',
  'photo_too_small',
  'photo_too_many_pixels',
  'photo_unreadable',
] as const satisfies ErrorCode[];

/** The account keeps too many photos. Once some are deleted, the same photo is taken. */
export const PHOTO_ROOM_ERRORS = ['photo_quota_reached', 'photo_count_reached'] as const satisfies ErrorCode[];

export const uploadPhoto = defineEndpoint({
  method: 'POST',
  path: '/api/upload',
  summary:
    'Stores a product photo (JPEG, PNG, WebP, HEIC, AVIF by its bytes; 10 MB; from 300x300); repeatable with the same Idempotency-Key',
  access: 'account',
  file: 'image',
  query: z.object({
    /** Name of the folder that the file comes from. It suggests an article where the file's name does not. */
    folder: z.optional(z.string().check(z.maxLength(255))),
  }),
  answer: uploadedPhoto,
  errors: [
    ...PHOTO_ERRORS,
    ...PHOTO_ROOM_ERRORS,
    ...STORAGE_ERRORS,
    'deletion_asked',
    'consent_required',
    'idempotency_key_reused',
    'too_many_requests',
  ],
});
export const getPhotoSubject = defineEndpoint({
  method: 'GET',
  path: '/api/photos/:id/subject',
  summary: 'What a photo shows, as far as shape and colours tell; `unknown` where they do not',
  access: 'account',
  params: byId,
  answer: z.object({ subject: z.enum(SUBJECT_KINDS) }),
  errors: ['photo_not_found', 'photo_forbidden'],
});
