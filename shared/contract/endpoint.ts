import type { z } from 'zod';
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
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Makes the body a form with one file. The value is the name of the file's field. */
  file?: string;
  /** Text fields of the form. If there are any, the file is optional. */
  fields?: z.ZodType;
  /** Schema of the successful answer. Absent for 204 and for streams of bytes. */
  answer?: z.ZodType;
  /** Domain errors that a caller should handle. Validation, sign-in and 5xx are always possible. */
  errors?: readonly ErrorCode[];
}

/** Keeps the literal types of an endpoint's description. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The caller's input: only the parts that the endpoint declares. */
export type EndpointInput<E extends Endpoint> = (E['params'] extends z.ZodType
  ? { params: Input<E['params']> }
  : object) &
  (E['query'] extends z.ZodType ? { query: Input<E['query']> } : object) &
  (E['body'] extends z.ZodType ? { body: Input<E['body']> } : object) &
  (E['file'] extends string
    ? E['fields'] extends z.ZodType
      ? { file?: Blob; fields: Input<E['fields']> }
      : { file: Blob }
    : object);

/** The caller's result. */
export type EndpointAnswer<E extends Endpoint> = E['answer'] extends z.ZodType ? Output<E['answer']> : undefined;
