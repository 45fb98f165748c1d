import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';
import { byId, idText } from './ids.ts';

const byResult = z.object({
  generationId: idText,
  position: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(99)),
});

export const streamPhotoPreview = defineEndpoint({
  method: 'GET',
  path: '/media/photos/:id/preview',
  summary: 'An uploaded photo, at most 1080 px, WebP',
  access: 'account',
  params: byId,
  errors: ['photo_not_found', 'photo_forbidden'],
});
export const streamPhotoThumbnail = defineEndpoint({
  method: 'GET',
  path: '/media/photos/:id/thumbnail',
  summary: 'An uploaded photo, at most 320 px, WebP',
  access: 'account',
  params: byId,
  errors: ['photo_not_found', 'photo_forbidden'],
});
/**
 * Pictures of results are the original after a payment, otherwise the copy with the logo. The status at the time of the
 * request counts.
 */
export const streamResultImage = defineEndpoint({
  method: 'GET',
  path: '/media/results/:generationId/:position/image',
  summary: 'A result that is a picture, in full size',
  access: 'account',
  params: byResult,
  errors: ['generation_not_found', 'generation_forbidden', 'result_lost', 'storage_unavailable'],
});
export const streamResultPoster = defineEndpoint({
  method: 'GET',
  path: '/media/results/:generationId/:position/poster',
  summary: 'The still of a result',
  access: 'account',
  params: byResult,
  errors: ['generation_not_found', 'generation_forbidden', 'result_lost', 'storage_unavailable'],
});
export const streamResultThumbnail = defineEndpoint({
  method: 'GET',
  path: '/media/results/:generationId/:position/thumbnail',
  summary: 'The small still of a result',
  access: 'account',
  params: byResult,
  errors: ['generation_not_found', 'generation_forbidden', 'result_lost', 'storage_unavailable'],
});
/** Its other addresses are closed while it is deleted. */
export const streamDeletedPoster = defineEndpoint({
  method: 'GET',
  path: '/media/deleted/:generationId/:position/poster',
  summary: 'The still of a deleted result that can be restored',
  access: 'account',
  params: byResult,
  errors: ['generation_not_found', 'generation_forbidden', 'result_lost', 'storage_unavailable'],
});
