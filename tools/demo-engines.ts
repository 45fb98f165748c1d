// Starts the product with generative tools and no key: a fake of fal stands in for the provider. Its results are the sent
// photos, tinted. Now and then a garment comes out in another colour, so that the notice about it and the free re-roll can
// be seen. `npm run demo:engines`, then http://localhost:3000.
import sharp from 'sharp';
import { createFakeFal } from '#tests/support/fake-fal.ts';

/** Long enough to see the stages of a wait and to leave the page, short enough for a demonstration. In milliseconds. */
const PACE = { queued: 4_000, running: 25_000 };

/** The first result drifts, and then every fourth: one or two poses of a session, and hardly ever a re-roll. */
const DRIFT_EVERY = 4;
/** Degrees by which the hue of a drifted product is turned. */
const HUE_TURN = 60;

let drawn = 0;

async function driftNowAndThen(pictures: Buffer[]): Promise<Buffer[]> {
  const [product, ...others] = pictures;
  if (!product || drawn++ % DRIFT_EVERY !== 0) return pictures;
  return [await sharp(product).modulate({ hue: HUE_TURN }).toBuffer(), ...others];
}

const fal = await createFakeFal({ pace: PACE, distort: driftNowAndThen });
const port = process.env.PORT ?? '3000';
Object.assign(process.env, {
  ENGINE: 'fal',
  DATA_DIR: process.env.DATA_DIR ?? '.data-demo',
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
  ...fal.settings,
});
await import('#api/commands/start.ts');
