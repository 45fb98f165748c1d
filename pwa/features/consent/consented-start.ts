import * as z from 'zod/mini';
import { buildUrl } from '#pwa/client/api-client.ts';
import { ApiError, INVALID_JSON_RESPONSE, readErrorAnswer, readJsonAnswer } from '#pwa/client/api-error.ts';
import type { Endpoint, EndpointAnswer } from '#shared/contract/endpoint.ts';
import { AGREED_PRICE_HEADER, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { modelChangeFields, startModelChange } from '#shared/contract/model-changes.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { startTryOn, tryOnRequest } from '#shared/contract/try-on.ts';
import { storedVideoSettings } from '#shared/contract/video-settings.ts';
import { startVideo } from '#shared/contract/videos.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';

/** A start is normally answered within a second. After this time the client stops waiting for the answer. */
export const START_TIMEOUT_MS = 60_000;
const CONSENT_LIFETIME_MS = 24 * 60 * 60 * 1000;

const terms = {
  /** The price that was shown, in stars. No other price is ever paid. */
  price: z.int().check(z.positive()),
  agreedAt: z.number(),
};

const starts = {
  video: z.object({ slot: z.literal('video'), settings: storedVideoSettings, ...terms }),
  model_change: z.object({
    slot: z.literal('model_change'),
    fields: z.omit(modelChangeFields, { imageId: true }),
    ...terms,
  }),
  photosession: z.object({ slot: z.literal('photosession'), ...terms }),
  try_on: z.object({ slot: z.literal('try_on'), choice: z.omit(tryOnRequest, { garmentImageId: true }), ...terms }),
} satisfies { [Slot in GenerationKind]: z.ZodMiniObject<{ slot: z.ZodMiniLiteral<Slot> }> };

/**
 * What a person agreed to without a network: a generation with its settings, for the price that was shown. A start for
 * a tool that this version does not know fails to parse, so it never runs.
 */
export const consentedStart = z.union(Object.values(starts));
export type ConsentedStart = z.infer<typeof consentedStart>;

/** Whether the consent is too old to act on: the person no longer expects a start. */
export function isStale({ agreedAt }: ConsentedStart, now: number): boolean {
  return now - agreedAt > CONSENT_LIFETIME_MS;
}

/**
 * Starts the generation with this photo for exactly the agreed price and returns its id. Repeating the call with the
 * same key starts it once. Throws ApiError, with code price_changed when the server asks another price.
 */
export async function sendStart(start: ConsentedStart, imageId: string, key: string): Promise<string> {
  const options = {
    headers: { [IDEMPOTENCY_KEY_HEADER]: key, [AGREED_PRICE_HEADER]: String(start.price) },
    timeoutMs: START_TIMEOUT_MS,
  };
  switch (start.slot) {
    case 'video':
      return (await sendBody(startVideo, { imageId, settings: start.settings }, options)).generationId;
    case 'model_change':
      return (await sendBody(startModelChange, toForm({ ...start.fields, imageId }), options)).request_id;
    case 'photosession':
      return (await sendBody(startPhotosession, toForm({ imageId }), options)).sessionId;
    case 'try_on':
      return (await sendBody(startTryOn, { ...start.choice, garmentImageId: imageId }, options)).generationId;
  }
}

interface SendOptions {
  headers: Record<string, string>;
  timeoutMs: number;
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
}

/**
 * Sends a form as it is, or any other body as JSON. Uses `fetch`, because the worker has no XMLHttpRequest. Throws
 * ApiError, with status 0 when no complete answer came in time.
 */
export async function sendBody<const E extends Endpoint>(
  endpoint: E,
  body: object,
  { headers, timeoutMs, params, query }: SendOptions,
): Promise<EndpointAnswer<E>> {
  const { method, answer } = endpoint;
  const isForm = body instanceof FormData;
  const init: RequestInit = isForm
    ? { headers, body }
    : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let response: Response;
  let text: string;
  try {
    response = await fetch(buildUrl(endpoint, { params, query }), {
      ...init,
      method,
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (error) {
    throw Object.assign(new ApiError(0, 'no network'), { cause: error });
  }
  if (!response.ok) throw readErrorAnswer(response.status, response.statusText, text);
  // An answer that does not fit the contract comes from a proxy: whether the server has acted is unknown.
  const parsed = answer?.safeParse(readJsonAnswer(text));
  if (parsed && !parsed.success) throw new ApiError(500, INVALID_JSON_RESPONSE);
  return parsed?.data as EndpointAnswer<E>;
}

function toForm(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
