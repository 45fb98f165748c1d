import * as z from 'zod/mini';
import { CHANGES } from '#shared/rules/tool-abilities.ts';
import { defineEndpoint } from './endpoint.ts';
import { idText } from './ids.ts';
import { progress } from './progress.ts';
import { START_ERRORS } from './start-errors.ts';
import { PHOTO_ERRORS, PHOTO_ROOM_ERRORS } from './uploads.ts';

export const MODEL_CHANGE_STATUSES = ['QUEUED', 'COMPLETED', 'FAILED'] as const;

/** Text fields of the form with the file `userImage`. */
export const modelChangeFields = z.object({
  /** A picture address of the catalogue. Required, and used, only if the tool puts another person into the photo. */
  modelImageUrl: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
  /** Empty to keep the photo's own background. A change of background refuses that. */
  backgroundImageUrl: z._default(z.string().check(z.maxLength(500)), ''),
  /** A stored photo (uploaded before or picked from the gallery), instead of the file. */
  imageId: z.optional(z.string().check(z.maxLength(64))),
  /** What the sender was told that the tool makes. If that has changed, the start is refused. */
  agreedChange: z.optional(z.enum(CHANGES)),
});

const modelChangeState = z.object({
  status: z.enum(MODEL_CHANGE_STATUSES),
  request_id: z.string(),
  result_url: z.nullable(z.string()),
  stars_spent: z.int(),
  current_star_balance: z.int(),
});

export const startModelChange = defineEndpoint({
  method: 'POST',
  path: '/api/change-model',
  summary: 'Holds a star and starts a change of model and background',
  access: 'verified',
  file: 'userImage',
  fields: modelChangeFields,
  answer: modelChangeState,
  errors: [
    'change_differs',
    'catalogue_entry_unknown',
    'background_unchanged',
    'premium_background',
    ...PHOTO_ERRORS,
    ...PHOTO_ROOM_ERRORS,
    ...START_ERRORS,
  ],
});
export const getModelChangeStatus = defineEndpoint({
  method: 'GET',
  path: '/api/change-model/status/:requestId',
  summary: 'State of a change of model, polled by the page every 3 seconds',
  access: 'account',
  params: z.object({ requestId: idText }),
  answer: z.extend(modelChangeState, {
    original_url: z.nullable(z.string()),
    has_watermark: z.boolean(),
    is_optimized: z.boolean(),
    error: z.nullable(z.string()),
    /** Stable code of the failure. Null unless failed. */
    code: z.nullable(z.string()),
    progress,
    /** The result's id in the gallery, once there is one. */
    image_id: z.nullable(z.string()),
    /** False when the person of the photo was kept and only the background changed. */
    is_model_replaced: z.boolean(),
    /** Null when no model was used. */
    model_id: z.nullable(z.string()),
    background_id: z.string(),
  }),
  errors: ['generation_not_found', 'generation_forbidden'],
});
