import * as z from 'zod/mini';
import { defineEndpoint } from './endpoint.ts';

/** The operator of the service, and the facts about its setup that the legal pages must state. */
export const operator = z.object({
  name: z.string(),
  ogrnip: z.string(),
  inn: z.string(),
  email: z.string(),
  messengerUrl: z.string(),
  /** Whether some of the data is a sample, because the operator has not set it. */
  isSample: z.boolean(),
  /** Whether the operator's lawyer has approved the current version of the documents. */
  areDocumentsReviewed: z.boolean(),
  /** Whether photos leave the country, because the engine is abroad. */
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
