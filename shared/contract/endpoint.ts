import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

/** Who may call: anybody, a signed-in account, an account with a confirmed e-mail, an administrator. */
export type Access = 'public' | 'account' | 'verified' | 'admin';

/** One HTTP call, read by the server (route, validation, OpenAPI) and by the client (typed fetch). */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With Fastify placeholders, for example `/api/videos/:id/download-access`. */
  path: `/${string}`;
  summary: string;
  access: Access;
  params?: z.ZodMiniType;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** Makes the body a form with one file. The value is the name of the file's field. */
  file?: string;
  /** Text fields of the form. If there are any, the file is optional. */
  fields?: z.ZodMiniType;
  /** Schema of the successful answer. Absent for 204 and for streams of bytes. */
  answer?: z.ZodMiniType;
  /** Domain errors that a caller should handle. Validation, sign-in and 5xx are always possible. */
  errors?: readonly ErrorCode[];
}

/** Keeps the literal types of an endpoint's description. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type Input<S> = S extends z.ZodMiniType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodMiniType ? z.output<S> : undefined;

export type EndpointInput<E extends Endpoint> = (E['params'] extends z.ZodMiniType
  ? { params: Input<E['params']> }
  : object) &
  (E['query'] extends z.ZodMiniType ? { query: Input<E['query']> } : object) &
  (E['body'] extends z.ZodMiniType ? { body: Input<E['body']> } : object) &
  (E['file'] extends string
    ? E['fields'] extends z.ZodMiniType
      ? { file?: Blob; fields: Input<E['fields']> }
      : { file: Blob }
    : object);

export type EndpointAnswer<E extends Endpoint> = E['answer'] extends z.ZodMiniType ? Output<E['answer']> : undefined;
