import { onTestFinished } from 'vitest';
import { createFalEngine, type FalOptions } from '#api/adapters/generation-engines/fal/fal-engine.ts';
import type { PictureFamily, VideoFamily } from '#api/adapters/generation-engines/fal/fal-families.ts';
import { type FalModels, readFalModels } from '#api/adapters/generation-engines/fal/fal-models.ts';
import { createFakeFal, FAKE_FAL_USER } from '#tests/support/fake-fal.ts';

type Changes = Partial<Omit<FalOptions, 'models'>> & { models?: Partial<FalModels> };

/** A fake of fal and an engine that uses it, for one test. `models`: changes to the shipped table. */
export async function enterFal({ models, ...changes }: Changes = {}) {
  const fake = await createFakeFal();
  onTestFinished(() => fake.close());
  const { FAL_KEY, FAL_QUEUE_URL, FAL_REST_URL, FAL_JWKS_URL } = fake.settings;
  const options: FalOptions = {
    key: FAL_KEY,
    queueUrl: FAL_QUEUE_URL,
    restUrl: FAL_REST_URL,
    pollIntervalMs: 1,
    webhooks: { jwksUrl: FAL_JWKS_URL, userId: FAKE_FAL_USER },
    models: { ...readFalModels(), ...models },
    ...changes,
  };
  return { fake, options, engine: createFalEngine(options) };
}

type Inputs = NonNullable<FalModels['video']>['inputs'];

/** The row of another model for one tool. */
export function tableWith(tool: 'video', id: string, family: VideoFamily, inputs?: Inputs): Partial<FalModels>;
export function tableWith(tool: 'model_change', id: string, family: PictureFamily, inputs?: Inputs): Partial<FalModels>;
export function tableWith(tool: string, id: string, family: string, inputs: Inputs = {}): Partial<FalModels> {
  return tool === 'video'
    ? { video: { id, family: family as VideoFamily, prices: { 5: 350_000, 10: 700_000 }, inputs } }
    : { model_change: { id, family: family as PictureFamily, price: 30_000, inputs } };
}
