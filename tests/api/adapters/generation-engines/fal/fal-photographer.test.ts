import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { createFalPhotographer } from '#api/adapters/generation-engines/fal/fal-photographer.ts';
import { enterFal } from './fal-harness.ts';

test.each([
  ['fal-ai/bytedance/seedream/v4/text-to-image', 'seedream'],
  ['fal-ai/nano-banana', 'nano-banana'],
] as const)('%s takes the inputs of its family and makes a picture of 3:4', async (id, family) => {
  const { fake, options } = await enterFal();
  const photographer = createFalPhotographer(options, { id, family, price: 30_000, inputs: { seed: 7 } }, []);
  const answer = await photographer.submit('An adult woman in a plain top');
  if (answer.state !== 'submitted') throw new Error(answer.state);
  const report = await vi.waitUntil(async () => {
    const now = await photographer.poll(answer.job);
    return now.state === 'completed' && now;
  }, 60_000);
  const [output] = report.outputs;
  if (!output) throw new Error('there is no picture');
  const picture = await sharp(await buffer(await output.open())).metadata();
  expect(picture.width / picture.height).toBeCloseTo(3 / 4, 1);
  const [job] = fake.jobs;
  expect(job).toMatchObject({ model: id, input: { prompt: 'An adult woman in a plain top', seed: 7 } });
  expect(job).toMatchObject({ webhookUrl: null, headers: { 'x-fal-store-io': '0' } });
});
