import { describe, expect, it } from 'vitest';
import { APP_PATHS } from '#shared/rules/app-paths.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import {
  GALLERY_TYPES,
  listImageKinds,
  listKindsMaking,
  priceOf,
  RESULT_KINDS,
  RESULT_WORDS,
  refundOf,
  TOOLS,
  type Tool,
} from '#shared/rules/tools.ts';

const rows = GENERATION_KINDS.map((kind): [string, Tool] => [kind, TOOLS[kind]]);
const words = RESULT_KINDS.map((kind) => [kind, RESULT_WORDS[kind]] as const);

describe('the table of tools', () => {
  it.each(rows)('says what a %s takes, makes and costs', (_kind, tool) => {
    const prices = typeof tool.price === 'number' ? [tool.price] : Object.values(tool.price);
    for (const price of prices) expect(price).toBeGreaterThan(0);
    expect(tool.inputs.length).toBeGreaterThan(0);
    expect(new Set(tool.inputs).size, 'a part is played by one photo').toBe(tool.inputs.length);
    expect(tool.outputs.count).toBeGreaterThan(0);
    expect(APP_PATHS).toContain(tool.page);
    expect(tool.usualWait.seconds).toBeGreaterThan(0);
  });

  it('has a page of its own for each kind', () => {
    expect(new Set(rows.map(([, { page }]) => page)).size).toBe(GENERATION_KINDS.length);
  });

  it.each(rows)('shows a %s under the tab for such files', (_kind, { outputs, gallery }) => {
    expect(gallery.tab).toBe(outputs.type === 'video' ? 'videos' : 'images');
  });

  it.each(rows)(
    'gives nothing back for a whole %s, and never more than it cost',
    (kind, { outputs, price, refund }) => {
      expect(refund !== null).toBe(outputs.count > 1);
      const own = kind as (typeof GENERATION_KINDS)[number];
      expect(refundOf(own, outputs.count)).toBe(0);
      const least = typeof price === 'number' ? price : Math.min(...Object.values(price));
      for (let made = 0; made <= outputs.count; made++) expect(refundOf(own, made)).toBeLessThanOrEqual(least);
    },
  );

  it('has a kind of result for each kind of generation, and one row for each', () => {
    expect(RESULT_KINDS).toEqual(expect.arrayContaining([...GENERATION_KINDS]));
    expect(RESULT_KINDS).toHaveLength(rows.flatMap(([, { results }]) => Object.keys(results)).length);
  });

  it.each(words)('has Russian words for a %s', (_kind, { titlePart, ...said }) => {
    const texts = Object.values(said).flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)));
    expect(texts).toHaveLength(8);
    for (const text of texts) expect(text).toMatch(/^[А-Яа-яё][А-Яа-яё, ]+[а-яё]$/);
    // «_» separates the parts of a title.
    if (titlePart !== null) expect(titlePart).toMatch(/^[А-Яа-яё ]+$/);
  });

  it('tells kinds apart by their words', () => {
    const differing = (pick: (said: (typeof words)[number][1]) => string) =>
      expect(new Set(words.map(([, said]) => pick(said))).size).toBe(RESULT_KINDS.length);
    differing(({ name }) => name);
    differing(({ tag }) => tag);
    differing(({ notice }) => notice.completed);
    differing(({ notice }) => notice.failed);
    differing(({ stars }) => stars.spentOn);
  });
});

describe('what is looked up in it', () => {
  it('prices a video by its length and everything else by its kind', () => {
    expect(VIDEO_SECONDS.map((seconds) => priceOf('video', seconds))).toEqual([1, 2]);
    expect(priceOf('model_change')).toBe(1);
    expect(priceOf('photosession')).toBe(2);
    expect(priceOf('try_on')).toBe(1);
    expect(() => priceOf('video')).toThrow('depends on its length');
  });

  it('parts the kinds into videos and pictures', () => {
    const parted = [...listKindsMaking('video'), ...listKindsMaking('picture')];
    expect(parted.toSorted()).toEqual(GENERATION_KINDS.toSorted());
    expect(listKindsMaking('video')).toContain('video');
    expect(listKindsMaking('picture')).not.toContain('video');
  });

  it('has every image under one filter of the gallery, and no filter that is empty', () => {
    const filtered = GALLERY_TYPES.map((type) => listImageKinds(type));
    for (const kinds of filtered) expect(kinds).not.toEqual([]);
    expect(filtered.flat().toSorted()).toEqual(listImageKinds().toSorted());
    expect(listImageKinds().toSorted()).toEqual(listKindsMaking('picture').toSorted());
  });
});
