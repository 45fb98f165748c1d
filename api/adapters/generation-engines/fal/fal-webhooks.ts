import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#api/platform/parse-json.ts';

export interface FalWebhookAccess {
  jwksUrl: string;
  /** fal's id of the operator's account. */
  userId: string;
}

/** Documented: older notifications are refused. */
const TOLERANCE_SECONDS = 300;
/** Documented: keys may be kept for a day. */
const KEYS_LIFETIME_MS = 24 * 60 * 60_000;
const KEYS_TIMEOUT_MS = 10_000;

const keySet = z.object({
  keys: z.array(z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })).min(1),
});
const signedHeaders = z.object({
  'x-fal-webhook-request-id': z.string().min(1),
  'x-fal-webhook-user-id': z.string().min(1),
  'x-fal-webhook-timestamp': z.string().regex(/^\d{1,12}$/),
  'x-fal-webhook-signature': z.string().regex(/^[0-9a-f]{128}$/i),
});
const message = z.object({ request_id: z.string() });

/**
 * Checks notifications as fal documents it. fal signs for all its customers with the same keys, so the account has to
 * match, too. What a notification says about the result is not used: the result is asked for.
 */
export function createWebhookReader({ jwksUrl, userId }: FalWebhookAccess) {
  let known: { keys: KeyObject[]; fetchedAt: number } | null = null;
  let fetching: Promise<KeyObject[]> | null = null;

  /** Concurrent calls share one fetch. Empty when the keys cannot be fetched; those known so far stay. */
  function fetchKeys(): Promise<KeyObject[]> {
    fetching ??= requestKeys(jwksUrl)
      .then((keys) => {
        known = { keys, fetchedAt: Date.now() };
        return keys;
      })
      .catch(() => [])
      .finally(() => {
        fetching = null;
      });
    return fetching;
  }

  async function isSigned(text: Buffer, signature: Buffer): Promise<boolean> {
    const matches = (keys: readonly KeyObject[]) => keys.some((key) => verify(null, text, key, signature));
    const cached = known && Date.now() - known.fetchedAt < KEYS_LIFETIME_MS ? known.keys : [];
    return matches(cached) || matches(await fetchKeys());
  }

  return async function parseWebhook(request: {
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
  }): Promise<{ jobId: string } | null> {
    const headers = signedHeaders.safeParse(request.headers).data;
    if (!headers || headers['x-fal-webhook-user-id'] !== userId) return null;
    const requestId = headers['x-fal-webhook-request-id'];
    const timestamp = headers['x-fal-webhook-timestamp'];
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return null;
    const hash = createHash('sha256').update(request.body).digest('hex');
    const text = Buffer.from([requestId, userId, timestamp, hash].join('\n'));
    if (!(await isSigned(text, Buffer.from(headers['x-fal-webhook-signature'], 'hex')))) return null;
    const named = message.safeParse(parseJson(request.body.toString())).data?.request_id;
    return named === requestId ? { jobId: requestId } : null;
  };
}

async function requestKeys(jwksUrl: string): Promise<KeyObject[]> {
  const response = await fetch(jwksUrl, { redirect: 'error', signal: AbortSignal.timeout(KEYS_TIMEOUT_MS) });
  const { keys } = keySet.parse(await response.json());
  return keys.map((jwk) => createPublicKey({ key: jwk, format: 'jwk' }));
}
