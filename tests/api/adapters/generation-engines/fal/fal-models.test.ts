import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FalModelsError, readFalModels } from '#api/adapters/generation-engines/fal/fal-models.ts';
import { FAKE_FAL_MODELS } from '#tests/support/fake-fal-models.ts';

async function writeTable(content: unknown): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'podium-models-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'models.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const video = { id: 'fal-ai/kling-video/v2.5-turbo/standard/image-to-video', family: 'kling', prices: { '5': 0.21 } };

test('the shipped table has a model that the fake knows for every tool, and makes both lengths', () => {
  const { currency: _currency, hosts: _hosts, video: row, ...others } = readFalModels();
  expect(row?.prices).toEqual({ 5: 350_000, 10: 700_000 });
  const known = Object.keys(FAKE_FAL_MODELS);
  for (const model of [row, ...Object.values(others)]) expect(known).toContain(model?.id);
});

test("the operator's table replaces the shipped one as a whole, with prices in units of its currency", async () => {
  const file = await writeTable({ currency: 'EUR', video: { ...video, inputs: { cfg_scale: 1 } } });
  expect(readFalModels(file)).toEqual({
    currency: 'EUR',
    hosts: [],
    video: { ...video, prices: { 5: 210_000 }, inputs: { cfg_scale: 1 } },
  });
});

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{', /not JSON/],
  ['an unknown family', { currency: 'USD', video: { ...video, family: 'sora' } }, /video\.family: .*kling/],
  ['a price in words', { currency: 'USD', video: { ...video, prices: { '5': 'much' } } }, /video\.prices\.5: .*number/],
  ['no price', { currency: 'USD', video: { ...video, prices: {} } }, /video\.prices: .*at least one length/],
  ['an unknown length', { currency: 'USD', video: { ...video, prices: { '7': 1 } } }, /video\.prices/],
  ['an address for an id', { currency: 'USD', video: { ...video, id: 'https://x/y' } }, /video\.id: the id of a model/],
  ['an unknown tool', { currency: 'USD', karaoke: video }, /karaoke/],
  ['no currency', { video }, /currency/],
  ['an address for a host', { currency: 'USD', hosts: ['https://files.example'] }, /hosts\.0: names such as/],
])('a table with %s stops the start with words', async (_what, content, words) => {
  const file = await writeTable(content);
  expect(() => readFalModels(file)).toThrow(words);
  expect(() => readFalModels(file)).toThrow(file);
  expect(() => readFalModels(file)).toThrow(FalModelsError);
});

test('a table that is not there stops the start with its name', () => {
  expect(() => readFalModels('/nowhere/models.json')).toThrow(/nowhere\/models\.json.*cannot be read/);
});
