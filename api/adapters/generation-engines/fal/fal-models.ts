import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { VIDEO_SECONDS, type VideoSeconds } from '#shared/rules/prices.ts';
import {
  PICTURE_FAMILIES,
  type PictureFamily,
  TEXT_FAMILIES,
  type TextFamily,
  TRY_ON_FAMILIES,
  type TryOnFamily,
  VIDEO_FAMILIES,
  type VideoFamily,
} from './fal-families.ts';

/** The table that comes with the code. Its prices are those of November 2026; check them before a launch. */
const SHIPPED_TABLE = path.join(import.meta.dirname, 'models.json');

const id = z.string().regex(/^[\w-]+(\/[\w.-]+)+$/, 'the id of a model such as fal-ai/nano-banana/edit');
/** Written in units of the currency, kept in millionths. */
const price = z
  .number()
  .min(0)
  .max(1000)
  .transform((units) => Math.round(units * 1_000_000));
/** Inputs that are sent as they are, in addition to those of the family or instead of them. */
const inputs = z.record(z.string(), z.json()).default({});

const videoModel = z.strictObject({
  id,
  family: z.enum(Object.keys(VIDEO_FAMILIES) as VideoFamily[]),
  /** By length in seconds. A length without a price is not offered. */
  prices: z
    .partialRecord(z.enum(VIDEO_SECONDS.map(String) as `${VideoSeconds}`[]), price)
    .refine((prices) => Object.keys(prices).length > 0, 'the price of at least one length'),
  inputs,
});
const pictureModel = z.strictObject({
  id,
  family: z.enum(Object.keys(PICTURE_FAMILIES) as PictureFamily[]),
  price,
  inputs,
});

const tryOnModel = pictureModel.extend({ family: z.enum(Object.keys(TRY_ON_FAMILIES) as TryOnFamily[]) });
const textModel = pictureModel.extend({ family: z.enum(Object.keys(TEXT_FAMILIES) as TextFamily[]) });

/** Which model makes what. A tool without a model is not offered. */
const table = z.strictObject({
  /** Where results and photos may be, besides fal's own hosts: each host, and those below it. */
  hosts: z.array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'names such as files.example.com')).default([]),
  /** Of all prices, by ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'three letters such as USD'),
  video: videoModel.optional(),
  model_change: pictureModel.optional(),
  photosession: pictureModel.optional(),
  try_on: tryOnModel.optional(),
  /** Makes the pictures of `npm run catalogue`. */
  catalogue: textModel.optional(),
});
export type FalModels = z.output<typeof table>;

/** The table cannot be used. The start stops and prints the message. */
export class FalModelsError extends Error {
  constructor(file: string, what: string) {
    super(`The table of fal's models (ENGINE_MODELS, ${file}): ${what}`);
    this.name = 'FalModelsError';
  }
}

/** The table of models, from the operator's file or the shipped one. Throws FalModelsError. */
export function readFalModels(file = SHIPPED_TABLE): FalModels {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FalModelsError(
      file,
      error instanceof SyntaxError ? `not JSON: ${error.message}` : 'the file cannot be read',
    );
  }
  const parsed = table.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: where, message }) => `${where.join('.')}: ${message}`);
  throw new FalModelsError(file, problems.join('; '));
}
