import { onTestFinished } from 'vitest';
import { createFalEngine, type FalOptions } from '#api/adapters/generation-engines/fal/fal-engine.ts';
import { readFalModels } from '#api/adapters/generation-engines/fal/fal-models.ts';
import { createFakeFal, FAKE_FAL_USER } from '#tests/support/fake-fal.ts';

/** A fake of fal and an engine that uses it, for one test. */
export async function enterFal(changes: Partial<FalOptions> = {}) {
  const fake = await createFakeFal();
  onTestFinished(() => fake.close());
  const { FAL_KEY, FAL_QUEUE_URL, FAL_REST_URL, FAL_JWKS_URL } = fake.settings;
  const options: FalOptions = {
    ...{ key: FAL_KEY, queueUrl: FAL_QUEUE_URL, restUrl: FAL_REST_URL, jwksUrl: FAL_JWKS_URL },
    ...{ userId: FAKE_FAL_USER, models: readFalModels(), pollIntervalMs: 1 },
    ...changes,
  };
  return { fake, options, engine: createFalEngine(options) };
}
