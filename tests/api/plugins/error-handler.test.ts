import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MailUnavailableError } from '#api/adapters/mail/mailer.ts';
import { StorageFullError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { NotSentError } from '#api/database/pool.ts';
import { AppError } from '#api/platform/errors.ts';
import { addErrorHandler, answerError } from '#api/plugins/error-handler.ts';
import { addJsonBody } from '#api/plugins/json-body.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';

let server: FastifyInstance;
const thrown: { error: unknown } = { error: null };

beforeAll(async () => {
  server = Fastify({ frameworkErrors: answerError, bodyLimit: 1000 });
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  addErrorHandler(server);
  addJsonBody(server);
  server.get('/api/throw', async () => {
    throw thrown.error;
  });
  server.get('/api/leak', { schema: { response: { 200: z.object({ count: z.int() }) } } }, async () => ({
    count: 'secret',
  }));
  const body = z.object({
    email: z.string('Введите email'),
    settings: z.object({ duration: z.literal([5, 10]), ratio: z.enum(['3:4', '1:1']).optional() }),
    tags: z.array(z.string().max(3)).optional(),
  });
  server.post(
    '/api/videos/:id/start',
    { schema: { body, params: z.object({ id: z.string().max(5) }) } },
    async () => ({}),
  );
  server.post('/api/nothing', async () => ({}));
  await server.ready();
});
afterAll(() => server.close());

const throwing = (error: unknown) => {
  thrown.error = error;
  return server.inject('/api/throw');
};
const start = (payload: object | string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  server.inject({ method: 'POST', url: '/api/videos/1/start', payload, headers });

describe('a domain error', () => {
  it('is answered with its status, text, code and what belongs to it', async () => {
    const response = await throwing(new AppError('active_generation', { generationId: 'abc' }));
    expect(response.statusCode).toBe(409);
    expect(response.json()).toEqual({
      message: 'У вас уже есть активная генерация: Дождитесь завершения текущей',
      code: 'active_generation',
      generationId: 'abc',
    });
  });

  it.each([
    [new StorageFullError(null), 507, 'storage_full', '300'],
    [new StorageUnavailableError(null), 503, 'storage_unavailable', '60'],
    [new MailUnavailableError(new Error('away')), 503, 'mail_not_sent', '60'],
    [new AppError('mail_not_sent'), 503, 'mail_not_sent', '60'],
  ])(
    'of a storage or a mail server that cannot work says so, and when to come back',
    async (error, status, code, retryAfter) => {
      const response = await throwing(error);
      expect([response.statusCode, response.headers['retry-after']]).toEqual([status, retryAfter]);
      expect(response.json()).toMatchObject({ code, message: ERRORS[code as ErrorCode].message });
    },
  );

  it('says when to come back in Retry-After too', async () => {
    const response = await throwing(new AppError('too_many_requests', { retryAfter: 17 }));
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '17']);
    expect(response.json().retryAfter).toBe(17);
  });
});

describe('an unexpected error', () => {
  it('tells nothing but the id of the request', async () => {
    const response = await throwing(new Error('relation "accounts" does not exist'));
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ message: 'Ошибка сервера', code: 'internal', requestId: expect.any(String) });
  });

  it('tells nothing when the thrown value is no error', async () => {
    expect((await throwing('oops')).json().code).toBe('internal');
  });

  it('replaces an answer that does not fit the contract', async () => {
    const response = await server.inject('/api/leak');
    expect([response.statusCode, response.json().code]).toEqual([500, 'internal']);
    expect(response.body).not.toContain('secret');
  });
});

describe('a database that cannot serve', () => {
  it.each([
    ['the pool', new NotSentError('connect ECONNREFUSED 127.0.0.1:5432')],
    ['a server that shuts down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    ['Prisma', Object.assign(new Error("Can't reach database server"), { code: 'P1001' })],
    ['a cause', new Error('query failed', { cause: new Error('Connection terminated unexpectedly') })],
  ])('is answered 503 with Retry-After when %s says so', async (_name, error) => {
    const response = await throwing(error);
    expect([response.statusCode, response.json().code]).toEqual([503, 'unavailable']);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.body).not.toContain('5432');
  });

  it('is not what the connection to another server says', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:25'), { code: 'ECONNREFUSED' });
    const response = await throwing(new Error('the mail server is gone', { cause }));
    expect([response.statusCode, response.json().code]).toEqual([500, 'internal']);
  });
});

describe('a body that does not fit', () => {
  it('names each field once, by its path, in Russian', async () => {
    const response = await start({ settings: { duration: 7, ratio: 5 }, tags: ['a', 'long'] });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      message: 'Введите email',
      code: 'invalid_request',
      fields: {
        email: 'Введите email',
        'settings.duration': 'Недопустимое значение: подходит 5, 10',
        'settings.ratio': 'Недопустимое значение: подходит 3:4, 1:1',
        'tags.1': 'Недопустимое значение: не больше 3',
      },
    });
  });

  it('has a general text where the field has none of its own', async () => {
    const response = await start({ email: 'a' });
    expect(response.json()).toEqual({
      message: 'Проверьте введённые данные',
      code: 'invalid_request',
      fields: { settings: 'Обязательное поле' },
    });
  });

  it.each([
    ['no body', ''],
    ['another type', '[]'],
    ['null', 'null'],
    ['broken JSON', '{"email": '],
    ['a poisoned prototype', '{"__proto__": {"admin": true}}'],
  ])('is refused with 400 when it is %s', async (_name, payload) => {
    const response = await start(payload);
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
    expect(response.json().message).toBe('Проверьте введённые данные');
  });

  it('is refused with 413 when it is too large', async () => {
    const response = await start({ email: 'a'.repeat(2000) });
    expect([response.statusCode, response.json().code]).toEqual([413, 'body_too_large']);
  });

  it('is refused with 415 when it is of another kind', async () => {
    for (const type of ['application/xml', 'text/plain']) {
      const response = await start('<a/>', { 'content-type': type });
      expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_content_type']);
    }
  });
});

it('an empty JSON body counts as no body where none is needed', async () => {
  const response = await server.inject({
    method: 'POST',
    url: '/api/nothing',
    payload: '',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.statusCode).toBe(200);
});

describe('an address under /api', () => {
  it.each(['GET', 'POST', 'DELETE', 'PATCH'] as const)(
    'that does not exist is answered in JSON to %s',
    async (method) => {
      const response = await server.inject({ method, url: '/api/no/such?x=1' });
      expect(response.statusCode).toBe(404);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.json()).toEqual({ message: 'Такого адреса нет', code: 'route_not_found' });
    },
  );

  it('that exists for another method names that method', async () => {
    const response = await server.inject({ method: 'DELETE', url: '/api/videos/17/start' });
    expect([response.statusCode, response.json().code, response.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      'POST',
    ]);
  });

  it('that cannot be decoded is answered 400', async () => {
    const response = await server.inject('/api/videos/%zz/start');
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
  });
});
