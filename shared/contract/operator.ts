import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';

/** Who runs the service, and what the legal pages must say of how it is set up. */
export const operator = z.object({
  name: z.string(),
  ogrnip: z.string(),
  inn: z.string(),
  email: z.string(),
  messengerUrl: z.string(),
  /** Some of the above is an example, because the operator has not set it. */
  isSample: z.boolean(),
  /** A lawyer of the operator has approved the version of the documents that is shown. */
  areDocumentsReviewed: z.boolean(),
  /** Photos leave the country: the engine that makes the results is abroad. */
  sendsPhotosAbroad: z.boolean(),
});
export type Operator = z.infer<typeof operator>;

export const getOperator = defineEndpoint({
  method: 'GET',
  path: '/api/operator',
  summary: 'Who runs the service, for the public pages',
  access: 'public',
  answer: operator,
});
