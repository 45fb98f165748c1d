import https from 'node:https';
import { text } from 'node:stream/consumers';
import webPush from 'web-push';
import { DIGITS } from '#shared/rules/outside-text.ts';
import type { PushOutcome, PushSender } from './push-sender.ts';

interface WebPushOptions {
  vapid: {
    publicKey: string;
    privateKey: string;
    /** `mailto:` or https. A push service can contact us there. */
    subject: string;
  };
  /** Patterns of the allowed push services. */
  hosts: readonly string[];
  /** For the whole exchange with a push service. */
  timeoutMs?: number;
  /** Extra certificate authorities, for tests. */
  certificateAuthority?: string;
}

const TIMEOUT_MS = 10_000;
/** Of the answer's body, for the log. */
const DETAIL_MAX_LENGTH = 200;
const IDLE_SOCKET_MS = 30_000;
/** Upper limit for the pause that a service asks for. */
const RETRY_AFTER_MAX_SECONDS = 24 * 3600;

/** Web Push (RFC 8030) with encrypted messages (RFC 8291) and VAPID (RFC 8292). */
export function createWebPushSender({
  vapid,
  hosts,
  timeoutMs = TIMEOUT_MS,
  certificateAuthority,
}: WebPushOptions): PushSender {
  const agent = new https.Agent({
    keepAlive: true,
    timeout: IDLE_SOCKET_MS,
    ...(certificateAuthority ? { ca: certificateAuthority } : {}),
  });
  return {
    publicKey: vapid.publicKey,
    isAllowed: (endpoint) => isPushHost(endpoint, hosts),

    async send({ endpoint, p256dh, auth }, { body, ttlSeconds, topic }) {
      // The list may have been shortened since the browser subscribed.
      if (!isPushHost(endpoint, hosts)) return { state: 'gone', detail: 'its push service is not on the list' };
      let request: ReturnType<typeof webPush.generateRequestDetails>;
      try {
        request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, body, {
          vapidDetails: vapid,
          TTL: ttlSeconds,
          urgency: 'normal',
          topic,
        });
      } catch (error) {
        return { state: 'gone', detail: `no message can be encrypted for it: ${describe(error)}` };
      }
      try {
        return await post(endpoint, request, { agent, signal: AbortSignal.timeout(timeoutMs) });
      } catch (error) {
        return { state: 'busy', detail: describe(error), retryAfterSeconds: null };
      }
    },

    close: () => agent.destroy(),
  };
}

/** Uses `https.request`, because it follows no redirect. A redirect would lead past the list of hosts. */
async function post(
  endpoint: string,
  { method, headers, body }: ReturnType<typeof webPush.generateRequestDetails>,
  options: { agent: https.Agent; signal: AbortSignal },
): Promise<PushOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<PushOutcome>();
  const request = https.request(endpoint, { method, headers, ...options }, (response) => {
    text(response).then((answer) => {
      const detail = `${response.statusCode} ${answer.slice(0, DETAIL_MAX_LENGTH)}`.trim();
      resolve(judge(response.statusCode ?? 0, detail, response.headers['retry-after']));
    }, reject);
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

function judge(status: number, detail: string, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { state: 'sent' };
  if (status === 404 || status === 410) return { state: 'gone', detail };
  if (status === 408 || status === 429 || status >= 500) {
    return { state: 'busy', detail, retryAfterSeconds: readRetryAfter(retryAfter) };
  }
  // 413: too large. 400, 401, 403: our keys or our message are wrong. 3xx: not a push service.
  return { state: 'refused', detail };
}

/** Reads seconds or a date. Null when the header has neither. */
function readRetryAfter(header: string | undefined): number | null {
  if (!header) return null;
  const seconds = DIGITS.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), RETRY_AFTER_MAX_SECONDS) : null;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether `endpoint` is an https address at one of `hosts`: a name, a name with a port, or `*.` and a domain. Browsers
 * choose their endpoints themselves. Without this list our server would send requests to any address.
 */
export function isPushHost(endpoint: string, hosts: readonly string[]): boolean {
  const address = URL.parse(endpoint);
  if (address?.protocol !== 'https:' || address.username || address.password) return false;
  return hosts.some((host) =>
    host.startsWith('*.') ? address.host.endsWith(host.slice(1).toLowerCase()) : address.host === host.toLowerCase(),
  );
}
