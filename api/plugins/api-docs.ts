import fastifySwagger, { type SwaggerTransformObject } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode, errorBody } from '#shared/contract/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract of this route. */
    endpoint?: Endpoint;
  }
}

type Transform = typeof jsonSchemaTransform;

/** OpenAPI of the contract, as JSON at /api/docs/json. */
export async function addApiDocs(server: FastifyInstance): Promise<void> {
  await server.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Podium', version: '1.0.0' } },
    transform: describeRoute,
    transformObject: withoutHead,
  });
  // Cached as bytes, because it never changes while the server runs, and takes many milliseconds to write and to encode.
  let json: Buffer | undefined;
  server.get('/api/docs/json', { schema: { hide: true }, config: { limit: REQUEST_LIMITS.any } }, async (_, reply) => {
    json ??= Buffer.from(JSON.stringify(server.swagger()));
    return reply.type('application/json; charset=utf-8').send(json);
  });
}

/** Adds the errors of the contract, to the description only. No answer is built from it. */
const describeRoute: Transform = (document) => {
  const { endpoint } = (document.route.config ?? {}) as { endpoint?: Endpoint };
  if (!endpoint) return { schema: { hide: true } as FastifySchema, url: document.url };
  const schema: FastifySchema = {
    ...document.schema,
    response: { ...(document.schema?.response as object), ...describeErrors(endpoint) },
  };
  const described = jsonSchemaTransform({ ...document, schema } as Parameters<Transform>[0]);
  return endpoint.file
    ? { ...described, schema: { ...described.schema, body: describeForm(endpoint.file, endpoint.fields) } }
    : described;
};

/** Drops HEAD routes, because every GET answers HEAD, too. */
const withoutHead: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  for (const operations of Object.values(document.openapiObject.paths ?? {})) delete operations?.head;
  return document.openapiObject;
};

/** The file is optional in a form that also has text fields. */
function describeForm(file: string, fields: z.core.$ZodType | undefined) {
  const binary = { type: 'string', format: 'binary' };
  if (!fields) return { type: 'object', required: [file], properties: { [file]: binary } };
  const { $schema, properties, ...form } = z.toJSONSchema(fields, { io: 'input' });
  return { ...form, properties: { [file]: binary, ...properties } };
}

function describeBody(codes: readonly ErrorCode[]): z.core.$ZodType {
  return errorBody.check(z.describe(codes.map((code) => `\`${code}\``).join(', ')));
}

function describeErrors(endpoint: Endpoint): Record<number, z.core.$ZodType> {
  const codes: ErrorCode[] = [
    ...(endpoint.params || endpoint.query || endpoint.body ? (['invalid_request'] as const) : []),
    ...(endpoint.access === 'public' ? [] : (['unauthorized'] as const)),
    ...(endpoint.access === 'verified' ? (['email_not_verified'] as const) : []),
    ...(endpoint.access === 'admin' ? (['forbidden'] as const) : []),
    ...(endpoint.errors ?? []),
  ];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries([...byStatus].map(([status, known]) => [status, describeBody(known)]));
}
