import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';
import { byId } from './ids.ts';
import { progress } from './progress.ts';
import { START_ERRORS } from './start-errors.ts';
import { PHOTO_ERRORS, PHOTO_ROOM_ERRORS } from './uploads.ts';

export const PHOTOSESSION_STATUSES = ['processing', 'completed', 'failed'] as const;

const photosessionHead = {
  id: z.string(),
  status: z.enum(PHOTOSESSION_STATUSES),
  title: z.string(),
  createdAt: z.iso.datetime(),
};

const photosessionFields = z.object({
  /** A stored photo (uploaded before or picked from the gallery), instead of the file. */
  imageId: z.optional(z.string().check(z.maxLength(64))),
});

export const startPhotosession = defineEndpoint({
  method: 'POST',
  path: '/api/photosession',
  summary: 'Holds two stars and starts a session of five frames',
  access: 'verified',
  file: 'image',
  fields: photosessionFields,
  answer: z.object({ sessionId: z.string() }),
  errors: [...PHOTO_ERRORS, ...PHOTO_ROOM_ERRORS, ...START_ERRORS],
});

export const getPhotosessionStatus = defineEndpoint({
  method: 'GET',
  path: '/api/photosession/:id/status',
  summary: 'State of a session with the frames that are ready, polled by the page every 5 seconds',
  access: 'account',
  params: byId,
  answer: z.object({
    ...photosessionHead,
    images: z.array(
      z.object({
        id: z.string(),
        url: z.string(),
        previewUrl: z.string(),
        isWatermarked: z.boolean(),
        /** From 0. Frames may be ready out of order. */
        position: z.int(),
        width: z.int(),
        height: z.int(),
      }),
    ),
    error: z.nullable(z.string()),
    code: z.nullable(z.string()),
    /** Stars that were finally spent. Fewer than two if fewer than three frames were made. */
    starsSpent: z.int(),
    progress,
  }),
  errors: ['generation_not_found', 'generation_forbidden'],
});
export const listPhotosessions = defineEndpoint({
  method: 'GET',
  path: '/api/photosessions',
  summary: 'Sessions of the account, newest first',
  access: 'account',
  query: z.object({ limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)), 20) }),
  answer: z.object({ sessions: z.array(z.object(photosessionHead)) }),
});
/** A ZIP of all frames, streamed. Only for accounts that have paid. */
export const downloadPhotosession = defineEndpoint({
  method: 'GET',
  path: '/api/photosession/:id/archive',
  summary: 'All frames of a session as a ZIP',
  access: 'account',
  params: byId,
  errors: ['generation_not_found', 'generation_forbidden', 'premium_required'],
});
