import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

/** A refusal as S3 words it. */
export class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface SignedRequest {
  method: string;
  /** Path and query as they were sent. */
  url: string;
  headers: IncomingHttpHeaders;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_SKEW_MS = 15 * 60_000;
const MAX_EXPIRES_SECONDS = 604_800;

interface Claim {
  credential: string;
  signedHeaders: string;
  signature: string;
  date: string;
  payloadHash: string;
  query: [string, string][];
}

/**
 * Checks Signature Version 4 of headers or of a presigned link, as Amazon documents it. Throws S3Refusal. It shares no
 * code with the SDK.
 */
export function checkSignature(request: SignedRequest, keys: S3Keys, now: Date): { isPresigned: boolean } {
  const query = readQuery(request.url);
  const isPresigned = query.some(([name]) => name === 'X-Amz-Signature');
  const claim = isPresigned ? readLink(query, now) : readHeaders(request, query, now);
  const [accessKeyId, day, region, service, end] = claim.credential.split('/');
  if (accessKeyId !== keys.accessKeyId) throw new S3Refusal(403, 'InvalidAccessKeyId');
  if (service !== 's3' || end !== 'aws4_request' || day !== claim.date.slice(0, 8) || !region) {
    throw new S3Refusal(403, 'AccessDenied', 'The credential has another scope');
  }
  assertSigned(request, claim.signedHeaders);
  const scope = `${day}/${region}/${service}/${end}`;
  const text = [ALGORITHM, claim.date, scope, hash(describeRequest(request, claim))].join('\n');
  const key = [day, region, service, end].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  );
  const expected = Buffer.from(createHmac('sha256', key).update(text).digest('hex'));
  const given = Buffer.from(claim.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Refusal(403, 'SignatureDoesNotMatch');
  }
  return { isPresigned };
}

function readHeaders({ headers }: SignedRequest, query: [string, string][], now: Date): Claim {
  const { authorization, 'x-amz-date': date, 'x-amz-content-sha256': payloadHash } = headers;
  if (!authorization) throw new S3Refusal(403, 'AccessDenied', 'Anonymous requests are not allowed');
  const [, credential, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (!credential || !signedHeaders || !signature || typeof date !== 'string') {
    throw new S3Refusal(400, 'AuthorizationHeaderMalformed');
  }
  if (typeof payloadHash !== 'string') throw new S3Refusal(400, 'InvalidRequest', 'x-amz-content-sha256 is missing');
  if (Math.abs(readDate(date) - now.getTime()) > MAX_SKEW_MS) throw new S3Refusal(403, 'RequestTimeTooSkewed');
  return { credential, signedHeaders, signature, date, payloadHash, query };
}

function readLink(query: [string, string][], now: Date): Claim {
  const values = new Map(query);
  const get = (name: string) => values.get(`X-Amz-${name}`) ?? '';
  const expires = Number(get('Expires'));
  const isValid = get('Algorithm') === ALGORITHM && Number.isInteger(expires) && expires > 0;
  if (!isValid || expires > MAX_EXPIRES_SECONDS) throw new S3Refusal(400, 'AuthorizationQueryParametersError');
  const age = now.getTime() - readDate(get('Date'));
  if (age < -MAX_SKEW_MS) throw new S3Refusal(403, 'RequestTimeTooSkewed');
  if (age > expires * 1000) throw new S3Refusal(403, 'AccessDenied', 'Request has expired');
  return {
    credential: get('Credential'),
    signedHeaders: get('SignedHeaders'),
    signature: get('Signature'),
    date: get('Date'),
    payloadHash: 'UNSIGNED-PAYLOAD',
    query: query.filter(([name]) => name !== 'X-Amz-Signature'),
  };
}

/** Host and every header of Amazon's have to be signed, or somebody on the way could change them. */
function assertSigned({ headers }: SignedRequest, signedHeaders: string): void {
  const signed = new Set(signedHeaders.split(';'));
  const missing = Object.keys(headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signed.has(name),
  );
  if (missing.length > 0) throw new S3Refusal(403, 'AccessDenied', `Headers that are not signed: ${missing}`);
}

/** The canonical request. */
function describeRequest({ method, url, headers }: SignedRequest, { query, signedHeaders, payloadHash }: Claim) {
  const path = url.split('?', 1)[0] ?? '';
  const pairs = query.map(([name, value]) => [encode(name), encode(value)] as const);
  pairs.sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));
  const named = signedHeaders.split(';').map((name) => {
    const value = [headers[name] ?? ''].flat().join(',');
    return `${name}:${value.trim().replace(/ +/g, ' ')}\n`;
  });
  return [
    method,
    path
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/'),
    pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    named.join(''),
    signedHeaders,
    payloadHash,
  ].join('\n');
}

/** The parameters of an address. A plus sign stands for itself here. */
export function readQuery(url: string): [string, string][] {
  const query = url.split('?')[1] ?? '';
  return query
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [decodeURIComponent(name), decodeURIComponent(value)];
    });
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `20130524T000000Z` in milliseconds. */
function readDate(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
