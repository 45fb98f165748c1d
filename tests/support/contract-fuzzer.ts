import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import sharp from 'sharp';
import { createRowId } from '#api/database/database.ts';
import { hashPassword } from '#api/services/accounts/passwords.ts';
import { startSession } from '#api/services/accounts/sessions.ts';
import type { Access, Endpoint } from '#shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode, errorBody } from '#shared/contract/errors.ts';
import { AGREED_PRICE_HEADER, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { createAccount, createImageResult, createStoredPhoto, createVideoResult } from './factories.ts';
import { encodeForm } from './forms.ts';
import { listEndpoints, nameEndpoint } from './list-endpoints.ts';
import { arbitraryOf, HOSTILE_BODIES, hostileText, hostileValue, nearlyOf, toPlainText } from './schema-arbitraries.ts';
import type { TestApp } from './test-app.ts';
import { nextAddress, PASSWORD } from './users.ts';

/** Longer answers are asked for again alone, because the machine may have been busy. */
export const ANSWER_MAX_MS = 2_000;

const ACTORS = ['visitor', 'unverified', 'user', 'owner', 'admin'] as const;
type Actor = (typeof ACTORS)[number];

/** One generated request. `parts` are as the schema has them; they are written down as late as possible. */
interface Case {
  actor: Actor;
  /** Asks only for the headers. Every GET has to answer it. */
  isHead: boolean;
  params: unknown;
  query: unknown;
  payload: { kind: 'none' } | { kind: 'json'; value: unknown } | { kind: 'raw'; name: string } | FormPayload;
  headers: Record<string, string>;
}
interface FormPayload {
  kind: 'form';
  fields: unknown;
  file: 'photo' | 'broken' | 'empty' | 'none';
}

export interface FuzzReport {
  seed: number;
  requests: number;
  /** By endpoint: how often each status was answered. */
  statuses: Record<string, Record<number, number>>;
  /** One line for each answer that breaks the contract. */
  violations: string[];
}

/**
 * Calls every endpoint of the contract `runs` times with valid, nearly valid and hostile requests of all kinds of
 * callers. The same seed makes the same requests. Ids belong to the owner, to nobody, or are none.
 */
export async function fuzzContract(
  testApp: TestApp,
  { seed, runs, only = '' }: { seed: number; runs: number; only?: string },
): Promise<FuzzReport> {
  const report: FuzzReport = { seed, requests: 0, statuses: {}, violations: [] };
  const fixture = await prepareFixture(testApp);
  for (const [index, endpoint] of (await listEndpoints()).entries()) {
    const name = nameEndpoint(endpoint);
    if (!name.includes(only)) continue;
    const statuses: Record<number, number> = {};
    report.statuses[name] = statuses;
    const users = await gatherUsers(fixture);
    for (const one of fc.sample(caseOf(endpoint, fixture.ids), { seed: seed + index, numRuns: runs })) {
      const answer = await send(fixture, users, endpoint, one);
      report.requests += 1;
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const problem = await findProblem(endpoint, answer, () => send(fixture, users, endpoint, one));
      if (problem) report.violations.push(`${name} by ${one.actor}: ${problem}\n  ${describeCase(one)}`);
    }
  }
  return report;
}

interface Fixture {
  testApp: TestApp;
  ownerId: number;
  /** Of PASSWORD. */
  passwordHash: string;
  ids: string[];
  photo: Buffer;
}

/** An owner of one of each thing, whose ids the requests name. */
async function prepareFixture(testApp: TestApp): Promise<Fixture> {
  const { app } = testApp;
  const passwordHash = await hashPassword(app, PASSWORD);
  const { id: ownerId } = await createAccount(app, { stars: 500, isPaid: true });
  const { token } = await startSession(app.db, ownerId, { userAgent: 'fuzzer', sessionToken: null });
  const photo = await sharp({ create: { width: 320, height: 420, channels: 3, background: '#c04020' } })
    .jpeg()
    .toBuffer();
  const form = await encodeForm([['image', { content: photo, name: 'photo.jpg', type: 'image/jpeg' }]]);
  const uploaded = await testApp.server.inject({
    method: 'POST',
    url: '/api/upload',
    headers: { cookie: `podium_session=${token}`, ...form.headers },
    payload: form.body,
  });
  const image = await createImageResult(app, ownerId, { width: 320, height: 420 });
  const change = await createImageResult(app, ownerId, { kind: 'model_change', width: 320, height: 420 });
  await app.db.generation.update({
    where: { id: change.generationId },
    data: { settings: { modelId: 'w1', backgroundId: 'dunes', isModelReplaced: true } },
  });
  const video = await createVideoResult(app, ownerId);
  const payment = await app.db.payment.findFirstOrThrow({ where: { accountId: ownerId } });
  const session = await app.db.session.findFirstOrThrow({ where: { accountId: ownerId } });
  const owned = [
    uploaded.json<{ id: string }>().id,
    image.id,
    image.generationId,
    change.generationId,
    video.generationId,
    payment.id,
    session.id,
    String(ownerId),
  ];
  const unknown = [randomUUID(), createRowId(), '1', '2', 'x'];
  return { testApp, ownerId, passwordHash, photo, ids: [...owned, ...unknown] };
}

/** The account of each kind of caller. The owner stays; the others are new for each endpoint, because limits count. */
async function gatherUsers({
  testApp: { app },
  ownerId,
  passwordHash,
}: Fixture): Promise<Record<Actor, number | null>> {
  const admin = await createAccount(app);
  await app.db.account.update({ where: { id: admin.id }, data: { isAdmin: true } });
  const user = await createAccount(app, { stars: 500, isPaid: true });
  await createStoredPhoto(app, user.id);
  const unverified = await createAccount(app, { isVerified: false });
  await app.db.account.updateMany({ data: { passwordHash, deletionAskedAt: null } });
  return { visitor: null, unverified: unverified.id, user: user.id, owner: ownerId, admin: admin.id };
}

/** Who may call an endpoint comes more often than who may not. */
const LIKELY: Record<Access, Actor> = { public: 'visitor', account: 'user', verified: 'owner', admin: 'admin' };

function caseOf(endpoint: Endpoint, ids: readonly string[]): fc.Arbitrary<Case> {
  const part = (schema: Endpoint['query']): fc.Arbitrary<unknown> =>
    schema
      ? fc.oneof(
          { weight: 4, arbitrary: arbitraryOf(schema, ids) },
          { weight: 2, arbitrary: nearlyOf(schema, ids) },
          { weight: 1, arbitrary: hostileValue },
        )
      : fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: hostileValue });
  return fc.record({
    actor: fc.oneof(fc.constantFrom(...ACTORS), fc.constantFrom('owner', LIKELY[endpoint.access])),
    isHead: endpoint.method === 'GET' ? fc.nat({ max: 4 }).map((drawn) => drawn === 4) : fc.constant(false),
    params: part(endpoint.params),
    query: part(endpoint.query),
    payload: payloadOf(endpoint, part),
    headers: headersOf(),
  });
}

function payloadOf(endpoint: Endpoint, part: (schema: Endpoint['query']) => fc.Arbitrary<unknown>) {
  const raw = fc.constantFrom(...Object.keys(HOSTILE_BODIES)).map((name) => ({ kind: 'raw' as const, name }));
  if (endpoint.method === 'GET') return fc.constant({ kind: 'none' as const });
  const json = part(endpoint.body).map((value) => ({ kind: 'json' as const, value }));
  if (!endpoint.file) return fc.oneof({ weight: 4, arbitrary: json }, { weight: 1, arbitrary: raw });
  const file = fc.constantFrom('photo', 'broken', 'empty', 'none');
  const form = fc.record({ kind: fc.constant('form' as const), fields: part(endpoint.fields), file });
  return fc.oneof({ weight: 5, arbitrary: form }, { weight: 1, arbitrary: json }, { weight: 1, arbitrary: raw });
}

/** Printable, as Node takes headers. */
const headerText = hostileText.map((text) => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?').slice(0, 300));

function headersOf(): fc.Arbitrary<Record<string, string>> {
  return fc
    .record(
      {
        [IDEMPOTENCY_KEY_HEADER]: fc.oneof(fc.uuid(), headerText),
        [AGREED_PRICE_HEADER]: fc.oneof(fc.constantFrom('1', '2'), headerText),
        range: fc.oneof(fc.constantFrom('bytes=0-9', 'bytes=-1', 'bytes=9-5', 'bytes=999999999-'), headerText),
        'user-agent': headerText,
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    .map((headers) => Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)));
}

const EVENT_STREAM = 'text/event-stream';

interface Answer {
  isHead: boolean;
  status: number;
  type: string;
  body: string;
  ms: number;
}

async function send(
  { testApp, photo }: Fixture,
  users: Record<Actor, number | null>,
  endpoint: Endpoint,
  one: Case,
): Promise<Answer> {
  const accountId = users[one.actor];
  const browser = { userAgent: 'fuzzer', sessionToken: null };
  const session = accountId === null ? null : await startSession(testApp.app.db, accountId, browser);
  const { headers, payload } = await writePayload(endpoint, one, photo);
  const startedAt = performance.now();
  // As a stream, because the one of events never ends.
  const answer = await testApp.server.inject({
    method: one.isHead ? 'HEAD' : endpoint.method,
    url: writeAddress(endpoint, one),
    remoteAddress: nextAddress(),
    headers: { ...one.headers, ...headers, ...(session ? { cookie: `podium_session=${session.token}` } : {}) },
    ...(payload === undefined ? {} : { payload }),
    payloadAsStream: true,
  });
  const stream = answer.stream();
  const type = answer.headers['content-type']?.toString() ?? '';
  const body = type.startsWith(EVENT_STREAM) ? '' : await text(stream);
  stream.destroy();
  return { isHead: one.isHead, status: answer.statusCode, type, body, ms: performance.now() - startedAt };
}

function writeAddress(endpoint: Endpoint, { params, query }: Case): string {
  const given = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
  const address = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(toPlainText(Object.hasOwn(given, name) ? given[name] : params) || 'x'),
  );
  if (query === undefined) return address;
  const pairs = typeof query === 'object' && query !== null ? Object.entries(query) : [['', query] as const];
  const written = pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [toPlainText(name), toPlainText(value)].map(encodeURIComponent).join('='));
  return `${address}?${written.join('&')}`;
}

async function writePayload(endpoint: Endpoint, { payload }: Case, photo: Buffer) {
  const asJson = { 'content-type': 'application/json' };
  switch (payload.kind) {
    case 'none':
      return { headers: {}, payload: undefined };
    case 'raw':
      return { headers: asJson, payload: HOSTILE_BODIES[payload.name] };
    case 'json':
      return payload.value === undefined
        ? { headers: {}, payload: undefined }
        : { headers: asJson, payload: JSON.stringify(payload.value) };
    case 'form': {
      const { fields, file } = payload;
      const texts = Object.entries(typeof fields === 'object' && fields !== null ? fields : {});
      const content = { photo, broken: photo.subarray(0, 200), empty: new Uint8Array(), none: null }[file];
      const encoded = await encodeForm([
        ...texts.map(([name, value]): [string, string] => [toPlainText(name), toPlainText(value)]),
        ...(content && endpoint.file ? [[endpoint.file, { content, name: 'photo.jpg' }] as [string, never]] : []),
      ]);
      return { headers: encoded.headers, payload: encoded.body };
    }
  }
}

/** Codes that any endpoint may answer, whatever it does. Not `unavailable`: what it needs is in good health here. */
const ALWAYS_POSSIBLE: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['invalid_request', 'too_many_requests', 'body_too_large', 'unsupported_content_type'] as const),
  // A part of an address that is empty or cannot be decoded leads to another route or to none.
  ...(['route_not_found', 'method_not_allowed'] as const),
]);
/** Of photos, results, archives and tables. */
const BYTES = /^(image|video)\/|^application\/(zip|octet-stream)|^text\/csv/;
const BY_ACCESS: Record<Access, readonly ErrorCode[]> = {
  public: [],
  account: ['unauthorized'],
  verified: ['unauthorized', 'email_not_verified'],
  admin: ['unauthorized', 'forbidden'],
};

async function findProblem(
  endpoint: Endpoint,
  answer: Answer,
  again: () => Promise<{ ms: number }>,
): Promise<string | null> {
  if (answer.ms > ANSWER_MAX_MS) {
    const { ms } = await again();
    if (ms > ANSWER_MAX_MS) return `took ${Math.round(ms)} ms`;
  }
  return answer.status < 400 ? findUnfittingAnswer(endpoint, answer) : findUnfittingError(endpoint, answer);
}

/** Without a schema an endpoint answers 204 and nothing, the bytes of a file or a part of them, or a stream of events. */
function findUnfittingAnswer(endpoint: Endpoint, { isHead, status, type, body }: Answer): string | null {
  const seen = `${status} ${type} ${body.slice(0, 200)}`;
  if (isHead && body !== '') return `a body for HEAD: ${seen}`;
  if (!endpoint.answer) {
    if (status === 204) return body === '' && type === '' ? null : `not empty: ${seen}`;
    const isBytes = BYTES.test(type) && (status === 200 || status === 206);
    return isBytes || (status === 200 && type.startsWith(EVENT_STREAM)) ? null : `neither empty nor bytes: ${seen}`;
  }
  if (status !== 200 || !type.startsWith('application/json')) return `no 200 with JSON: ${seen}`;
  if (isHead) return null;
  const parsed = endpoint.answer.safeParse(parseJson(body));
  return parsed.success ? null : `the answer does not fit its schema: ${parsed.error.message.slice(0, 300)}`;
}

function findUnfittingError(endpoint: Endpoint, { isHead, status, body }: Answer): string | null {
  const seen = `${status} ${body.slice(0, 200)}`;
  const documented: string[] = [...(endpoint.errors ?? []), ...BY_ACCESS[endpoint.access], ...ALWAYS_POSSIBLE];
  if (isHead) {
    const isPossible = documented.some((code) => ERRORS[code as ErrorCode].status === status);
    return body === '' && isPossible ? null : `for HEAD: ${seen}`;
  }
  const parsed = errorBody.safeParse(parseJson(body));
  if (!parsed.success) return `no error of ours: ${seen}`;
  const { code, message } = parsed.data;
  if (!Object.hasOwn(ERRORS, code) || ERRORS[code as ErrorCode].status !== status) return `no such code: ${seen}`;
  if (!/[а-яё]/i.test(message)) return `not in Russian: ${seen}`;
  return documented.includes(code) ? null : `not documented: ${seen}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeCase({ isHead, params, query, payload, headers }: Case): string {
  return JSON.stringify({ isHead, params, query, payload, headers }).slice(0, 600);
}
