import { z } from 'zod';
import type { Endpoint, EndpointAnswer } from '#shared/contract/endpoint.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { modelChangeFields, startModelChange } from '#shared/contract/model-changes.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { startVideo, videoSettings } from '#shared/contract/videos.ts';
import { DEFAULT_VIDEO_SECONDS, MODEL_CHANGE_PRICE, PHOTOSESSION_PRICE, videoPrice } from '#shared/rules/prices.ts';
import { callApi } from './api-client.ts';
import { ApiError, readErrorAnswer } from './api-error.ts';

const terms = {
  /** As it was shown, in stars; no other is ever paid. */
  price: z.int().positive(),
  agreedAt: z.number(),
};

/** What the person has agreed to while there was no network: a generation, as it was chosen, for the price they saw. */
export const consentedStart = z.discriminatedUnion('slot', [
  z.object({ slot: z.literal('video'), settings: videoSettings.partial(), ...terms }),
  z.object({ slot: z.literal('model_change'), fields: modelChangeFields.omit({ imageId: true }), ...terms }),
  z.object({ slot: z.literal('photosession'), ...terms }),
]);
export type ConsentedStart = z.infer<typeof consentedStart>;

/** What such a generation costs now, in stars. */
export function priceOfStart(start: ConsentedStart): number {
  switch (start.slot) {
    case 'video':
      return videoPrice(start.settings.duration ?? DEFAULT_VIDEO_SECONDS);
    case 'model_change':
      return MODEL_CHANGE_PRICE;
    case 'photosession':
      return PHOTOSESSION_PRICE;
  }
}

/** Starts it with this photo and gives its id; the same key starts it once. Throws ApiError. */
export async function sendStart(start: ConsentedStart, imageId: string, key: string): Promise<string> {
  switch (start.slot) {
    case 'video': {
      const body = { imageId, settings: start.settings };
      return (await callApi(startVideo, { body }, { headers: { [IDEMPOTENCY_KEY_HEADER]: key } })).generationId;
    }
    case 'model_change':
      return (await sendForm(startModelChange, toForm({ ...start.fields, imageId }), key)).request_id;
    case 'photosession':
      return (await sendForm(startPhotosession, toForm({ imageId }), key)).sessionId;
  }
}

/** Sends a form by `fetch`, which the worker has too. Throws ApiError; its status is 0 where no answer came. */
export async function sendForm<const E extends Endpoint>(
  { path, method, answer }: E,
  body: FormData,
  key: string,
): Promise<EndpointAnswer<E>> {
  let response: Response;
  try {
    response = await fetch(path, { method, headers: { [IDEMPOTENCY_KEY_HEADER]: key }, body });
  } catch (error) {
    throw Object.assign(new ApiError(0, 'no network'), { cause: error });
  }
  const text = await response.text();
  if (!response.ok) throw readErrorAnswer(response.status, response.statusText, text);
  return answer?.parse(JSON.parse(text)) as EndpointAnswer<E>;
}

function toForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
