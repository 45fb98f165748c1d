import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';
import { byId, idText, pageCursor, searchText } from './ids.ts';
import { uploadedPhoto } from './uploads.ts';

const PHOTOS_MAX_LIMIT = 100;

const photoOrder = z.enum(['newest', 'largest', 'oldest']);
export type PhotoOrder = z.infer<typeof photoOrder>;

const keptPhotos = z.object({
  photos: z.array(
    z.extend(uploadedPhoto, {
      /** All that is stored of it, in bytes. */
      storedBytes: z.int(),
      createdAt: z.iso.datetime(),
      /** Whether a running generation needs it, so that it cannot be deleted yet. */
      isInUse: z.boolean(),
    }),
  ),
  /** The `cursor` of the next page. Null at the end. */
  nextCursor: z.nullable(z.string()),
  /** Of all photos of the account, whatever was asked for. */
  total: z.int(),
  usedBytes: z.int(),
  limitBytes: z.int(),
});
export type KeptPhotos = z.infer<typeof keptPhotos>;
export type KeptPhoto = KeptPhotos['photos'][number];

export const listPhotos = defineEndpoint({
  method: 'GET',
  path: '/api/photos',
  summary: 'The uploaded photos with the room that they take',
  access: 'account',
  query: z.object({
    order: z._default(photoOrder, 'newest'),
    cursor: pageCursor,
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PHOTOS_MAX_LIMIT)), 50),
    /** Id of a product. */
    product: z.optional(idText),
    /** In names of files, articles and names of products. */
    search: searchText,
  }),
  answer: keptPhotos,
  errors: ['invalid_request', 'product_not_found', 'product_forbidden'],
});

export const getPhoto = defineEndpoint({
  method: 'GET',
  path: '/api/photos/:id',
  summary: 'An uploaded photo with the product that it has now',
  access: 'account',
  params: byId,
  answer: uploadedPhoto,
  errors: ['photo_not_found', 'photo_forbidden'],
});

/** Results that were made from it stay. Their views have null in its place. */
export const deletePhoto = defineEndpoint({
  method: 'DELETE',
  path: '/api/photos/:id',
  summary: 'Deletes a photo with its files, at once and for good',
  access: 'account',
  params: byId,
  errors: ['photo_not_found', 'photo_forbidden', 'photo_in_use', 'storage_unavailable', 'unavailable'],
});

const KNOWN_MAX = 200;

/** So that a batch sends no file again that the server has. */
export const findKnownPhotos = defineEndpoint({
  method: 'POST',
  path: '/api/photos/known',
  summary: 'Which of these files the account has already, by their SHA-256',
  access: 'account',
  body: z.object({
    hashes: z.array(z.string().check(z.regex(/^[\da-f]{64}$/))).check(z.minLength(1), z.maxLength(KNOWN_MAX)),
  }),
  answer: z.object({ known: z.array(z.object({ sha256: z.string(), photo: uploadedPhoto })) }),
  errors: ['too_many_requests'],
});
