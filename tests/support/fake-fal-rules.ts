import type { FalWebhookFault } from './fake-fal-webhooks.ts';

/** What the fake does otherwise than by default. */

export interface FalAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
/** A documented answer of the provider. */
export const FAL_ANSWERS = {
  unauthorized: { status: 401, body: { detail: 'No user found for Key ID and Secret' } },
  unfunded: {
    status: 403,
    body: { detail: 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai.' },
  },
  forbidden: { status: 403, body: { detail: 'Forbidden' } },
  tooMany: { status: 429, body: { detail: 'Too many requests' } },
  internal: { status: 500, body: { detail: 'Internal Server Error' } },
  badGateway: { status: 502, body: '<html>Bad Gateway</html>' },
  unavailable: { status: 503, body: { detail: 'Service Unavailable' } },
  gatewayTimeout: { status: 504, body: '<html>Gateway Timeout</html>' },
  html: { status: 200, body: '<html>Maintenance</html>' },
} as const satisfies Record<string, FalAnswer>;

/** The answer of a model that refuses its input. `shape`: today's list, or the text of older models. */
export function modelError(
  type: string,
  { shape = 'list', retryable, status = 422 }: ModelErrorOptions = {},
): FalAnswer {
  const detail = shape === 'list' ? [{ loc: ['body', 'image_url'], msg: 'It cannot be used', type, ctx: {} }] : type;
  const headers = retryable === undefined ? undefined : { 'x-fal-retryable': `${retryable}` };
  return { status, body: { detail }, ...(headers ? { headers } : {}) };
}
interface ModelErrorOptions {
  shape?: 'list' | 'text';
  retryable?: boolean;
  status?: number;
}

/** The answer of the platform when its machines failed. */
export function platformError(type: string, status: number, headers: Record<string, string> = {}): FalAnswer {
  return {
    status,
    body: { detail: 'Request failed', error_type: type },
    headers: { 'x-fal-error-type': type, ...headers },
  };
}

export type FalCall = 'initiate' | 'put' | 'submit' | 'status' | 'result' | 'cancel' | 'file' | 'jwks';
/** `cut`, `hang`: nothing was done. `take_and_…`: it was done, and the answer is lost. */
export type FalFault = FalAnswer | 'cut' | 'hang' | 'take_and_cut' | 'take_and_hang';
/** What becomes of a job, if not its result. */
export type FalFate =
  /** It waits until `finish`. */
  | { kind: 'queued' | 'running' }
  | { kind: 'failed'; answer: FalAnswer }
  | { kind: 'no_files' }
  | { kind: 'file'; fault: 'wrong_type' | 'vague_type' | 'broken' | 'missing' | 'foreign' | 'redirect' | 'endless' };

/** What the provider says of a file with this fault, whatever it is. */
export const FAULTY_TYPES: Readonly<Record<string, string>> = {
  wrong_type: 'image/gif',
  vague_type: 'application/octet-stream',
};

export interface FalRule {
  /** For so many calls, jobs or notifications. Once by default. */
  times?: number;
  call?: [FalCall, FalFault];
  fate?: FalFate;
  webhook?: FalWebhookFault;
}

export type CountedRule = FalRule & { times: number };

/** Takes the next rule of one sort, and uses it up. */
export function takeRule<Sort extends 'call' | 'fate' | 'webhook'>(
  rules: CountedRule[],
  sort: Sort,
  call?: FalCall,
): FalRule[Sort] | undefined {
  const rule = rules.find(
    (one) => one.times > 0 && one[sort] !== undefined && (call === undefined || one.call?.[0] === call),
  );
  if (rule) rule.times--;
  return rule?.[sort];
}
