// Starts the product with generative tools and no key: a fake of fal stands in for the provider. Its results are the sent
// photos, tinted. `npm run demo:engines`, then http://localhost:3000.
import { createFakeFal } from '#tests/support/fake-fal.ts';

/** Long enough to see the stages of a wait and to leave the page, short enough for a demonstration. In milliseconds. */
const PACE = { queued: 4_000, running: 25_000 };

const fal = await createFakeFal({ pace: PACE });
const port = process.env.PORT ?? '3000';
Object.assign(process.env, {
  ENGINE: 'fal',
  DATA_DIR: process.env.DATA_DIR ?? '.data-demo',
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
  ...fal.settings,
});
await import('#api/commands/start.ts');
