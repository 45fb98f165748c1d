import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** What is wrong with a notification. */
export type FalWebhookFault =
  /** Signed ten minutes ago. */
  | 'late'
  /** Signed by a key of somebody else. */
  | 'forged'
  /** Really signed by the provider, on behalf of another of its customers. */
  | 'foreign'
  /** Its head names another job than its body. */
  | 'misaddressed'
  /** Says that all went well, but has no result in it. */
  | 'without_payload';

export interface SignedWebhook {
  headers: Record<string, string>;
  body: string;
}

interface FinishedJob {
  id: string;
  /** The answer to a request for its result. */
  result: { status: number; body?: unknown } | null;
}

/** Signs notifications as documented: ED25519 over id, user, time and the hash of the body. */
export function createWebhookSigner(userId: string) {
  let keys = [generateKeyPairSync('ed25519')];
  const stranger = generateKeyPairSync('ed25519');
  return {
    jwks: () => ({
      keys: keys.map(({ publicKey }) => {
        const { kty, crv, x } = publicKey.export({ format: 'jwk' });
        return { kty, crv, x };
      }),
    }),
    /** From now on another key signs. */
    rotateKeys: () => {
      keys = [generateKeyPairSync('ed25519')];
    },
    sign(job: FinishedJob, fault?: FalWebhookFault): SignedWebhook {
      const body = JSON.stringify(describeEnd(job, fault));
      const user = fault === 'foreign' ? 'auth0|somebody-else' : userId;
      const seconds = Math.floor(Date.now() / 1000) - (fault === 'late' ? 600 : 0);
      const key = (fault === 'forged' ? stranger : keys[0])?.privateKey;
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'x-fal-webhook-request-id': job.id,
          'x-fal-webhook-user-id': user,
          'x-fal-webhook-timestamp': `${seconds}`,
          'x-fal-webhook-signature': key ? signText([job.id, user, `${seconds}`, sha256(body)].join('\n'), key) : '',
        },
      };
    },
  };
}

function signText(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function describeEnd({ id, result }: FinishedJob, fault?: FalWebhookFault): object {
  const named = fault === 'misaddressed' ? randomUUID() : id;
  const head = { request_id: named, gateway_request_id: named };
  const { status, body } = result ?? { status: 500, body: null };
  if (status !== 200) return { ...head, status: 'ERROR', error: `Invalid status code: ${status}`, payload: body };
  return fault === 'without_payload'
    ? { ...head, status: 'OK', payload: null, payload_error: 'It cannot be serialised' }
    : { ...head, status: 'OK', payload: body };
}

const TRIES_MAX = 4;
const PAUSE_MS = 200;

/** Sends it again while the answer is not a success. Returns the statuses of the answers. */
export async function deliverWebhook(address: string, message: SignedWebhook): Promise<number[]> {
  const statuses: number[] = [];
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tries > 0) await wait(PAUSE_MS, undefined, { ref: false });
    const { status, ok } = await fetch(address, { method: 'POST', ...message }).catch(() => ({ status: 0, ok: false }));
    statuses.push(status);
    if (ok) break;
  }
  return statuses;
}
