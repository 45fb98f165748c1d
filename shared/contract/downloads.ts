import * as z from 'zod/mini';
import { EXPORT_FIXES } from '#shared/rules/marketplaces.ts';
import { defineEndpoint } from './endpoint.ts';
import { byId, idText } from './ids.ts';
import { ITEM_REFUSALS } from './item-refusals.ts';

/** The bytes of the caller's own result or of a catalogue picture. Nothing is ever fetched from elsewhere. */
export const downloadImage = defineEndpoint({
  method: 'POST',
  path: '/api/download-image',
  summary: 'The original of an image as a file',
  access: 'account',
  body: z.union([
    z.object({ imageId: idText }),
    z.object({ url: z.string().check(z.minLength(1), z.maxLength(2000)) }),
  ]),
  errors: ['image_url_foreign', ...ITEM_REFUSALS, 'premium_required', 'result_lost', 'storage_unavailable'],
});
/** `id`: of a gallery image or of a video. Only for accounts that have paid. */
export const exportResult = defineEndpoint({
  method: 'GET',
  path: '/api/results/:id/export',
  summary: 'The original made fit for a marketplace, as a file',
  access: 'account',
  params: byId,
  query: z.object({ fix: z.enum(EXPORT_FIXES) }),
  errors: [...ITEM_REFUSALS, 'premium_required', 'export_fix_unsuitable', 'result_lost', 'storage_unavailable'],
});
