import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadCatalogue, readManifest } from '#api/catalogue/load-catalogue.ts';
import { CatalogueError } from '#api/catalogue/manifest.ts';

const SHIPPED = path.resolve('api/catalogue');

describe('the catalogue that is shipped', () => {
  test('has 15 women and 9 men of both age ranges, and 16 backgrounds of which four are premium', async () => {
    const { models, backgrounds } = await loadCatalogue(SHIPPED);
    expect(models.filter(({ category }) => category === 'women')).toHaveLength(15);
    expect(models.filter(({ category }) => category === 'men')).toHaveLength(9);
    for (const category of ['women', 'men']) {
      expect(
        new Set(models.filter((model) => model.category === category).map(({ ageRange }) => ageRange)),
      ).toHaveLength(2);
    }
    expect(backgrounds).toHaveLength(16);
    expect(backgrounds.filter(({ type }) => type === 'keep_original')).toHaveLength(1);
    expect(new Set(backgrounds.map(({ type }) => type))).toHaveLength(4);
    expect(backgrounds.filter(({ isPremium }) => isPremium).map(({ name }) => name)).toEqual([
      'Premium Texture',
      'Luxury',
      'Scarlet Luxe',
      'Professional Pro',
    ]);
    expect(new Set([...models, ...backgrounds].map(({ alt }) => alt))).toHaveLength(40);
    expect(new Set(models.map(({ name }) => name))).toHaveLength(24);
  });

  test('has its pictures at their addresses, portraits 600x800 and backgrounds 1080x1440', async () => {
    const { models, backgrounds, files } = await loadCatalogue(SHIPPED);
    for (const { imageUrl, avifUrl } of [...models, ...backgrounds]) {
      expect(files.get(imageUrl)?.contentType).toBe('image/webp');
      expect(files.get(avifUrl)?.contentType).toBe('image/avif');
    }
    expect(models.every(({ width, height }) => width === 600 && height === 800)).toBe(true);
    expect(backgrounds.every(({ width, height }) => width === 1080 && height === 1440)).toBe(true);
  });

  test('has a prompt for every person and scene, which names the height of the floor', async () => {
    const { manifest } = await readManifest(SHIPPED);
    const scenes = manifest.backgrounds.filter(({ type }) => type !== 'keep_original');
    expect(scenes).toHaveLength(15);
    for (const { prompt } of [...manifest.models, ...scenes]) expect(prompt).toMatch(/^[\x20-\x7e]{200,}$/);
    for (const { floor, prompt } of scenes) expect(prompt).toContain(`${Math.round((floor ?? 0) * 100)} percent`);
    for (const { ageRange, prompt } of manifest.models) {
      const [youngest, oldest] = ageRange.split('-').map(Number);
      const age = Number(/adult (?:wo)?man, (\d+) years old/.exec(prompt ?? '')?.[1]);
      expect([age >= (youngest ?? 0), age <= (oldest ?? 0)]).toEqual([true, true]);
    }
  });

  test('is small enough for a phone: no picture over 200 KB, all of it under 4 MB', async () => {
    const { files } = await loadCatalogue(SHIPPED);
    const sizes = [...files.values()].map(({ content }) => content.length);
    expect(Math.max(...sizes)).toBeLessThan(200_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
  });
});

describe('a catalogue that an operator has changed', () => {
  let folder: string;
  let manifestFile: string;
  let shipped: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'podium-catalogue-'));
    manifestFile = path.join(folder, 'manifest.json');
    shipped = await readFile(path.join(SHIPPED, 'manifest.json'), 'utf8');
  });
  beforeEach(() => cp(SHIPPED, folder, { recursive: true, force: true }));
  afterAll(() => rm(folder, { recursive: true }));

  /** The line of the shipped manifest that holds the text. */
  const lineOf = (text: string) => shipped.slice(0, shipped.indexOf(text)).split('\n').length;

  async function loadWith(change: (manifest: string) => string): Promise<string> {
    const changed = change(shipped);
    expect(changed).not.toBe(shipped);
    await writeFile(manifestFile, changed);
    const error = await loadCatalogue(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CatalogueError);
    const { message } = error as CatalogueError;
    expect(message).toContain(manifestFile);
    return message;
  }

  test('takes a new model with its two pictures, and keeps the prompt to itself', async () => {
    const entry =
      '"models": [\n{ "id": "vera-2", "name": "Вера", "ageRange": "26-35", "category": "women", "alt": "Вера", "prompt": "A woman" },';
    await writeFile(manifestFile, shipped.replace('"models": [', entry));
    const picture = sharp({ create: { width: 300, height: 400, channels: 3, background: '#888' } });
    await picture.clone().webp().toFile(path.join(folder, 'woman/vera-2.webp'));
    await picture.clone().avif().toFile(path.join(folder, 'woman/vera-2.avif'));
    const { models } = await loadCatalogue(folder);
    expect(models[0]).toEqual({
      id: 'vera-2',
      name: 'Вера',
      ageRange: '26-35',
      category: 'women',
      alt: 'Вера',
      imageUrl: '/attached_assets/woman/vera-2.webp',
      avifUrl: '/attached_assets/woman/vera-2.avif',
      width: 300,
      height: 400,
    });
  });

  test('may be older than the fields for suitable backgrounds: then each suits everything and its floor is unknown', async () => {
    const older = shipped.replace(/,\n {6}"suits": \[.*\]/g, '').replace(/,\n {6}"floor": [\d.]+/g, '');
    expect(older).not.toMatch(/"suits"|"floor"/);
    await writeFile(manifestFile, older);
    const { backgrounds } = await loadCatalogue(folder);
    for (const { suits, floor } of backgrounds) {
      expect(suits).toEqual(['standing', 'hanging', 'lying']);
      expect(floor).toBeNull();
    }
  });

  test('is refused with the line of an impossible position', async () => {
    const message = await loadWith((text) => text.replace('"suits": ["standing"]', '"suits": ["flying"]'));
    expect(message).toContain(
      `строка ${lineOf('"suits": ["standing"]')}, backgrounds.10.suits.0: Недопустимое значение`,
    );
  });

  test('is refused with the line of a value that is not allowed', async () => {
    const message = await loadWith((text) => text.replace('"type": "themed"', '"type": "outdoors"'));
    expect(message).toContain(
      `строка ${lineOf('"type": "themed"')}, backgrounds.9.type: Недопустимое значение: подходит studio, abstract, themed, keep_original`,
    );
  });

  test('is refused with the line of an entry whose picture is missing', async () => {
    await rm(path.join(folder, 'backgrounds/luxury.avif'));
    const error = await loadCatalogue(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CatalogueError);
    expect(String(error)).toContain(`строка ${lineOf('"luxury"') - 1}, backgrounds.13: картинка `);
    expect(String(error)).toContain('luxury.avif не читается (ENOENT)');
  });

  test('is refused when a picture is of another kind or shape', async () => {
    await writeFile(path.join(folder, 'man/m2.webp'), 'no picture');
    const square = sharp({ create: { width: 400, height: 400, channels: 3, background: '#888' } });
    await square.webp().toFile(path.join(folder, 'woman/w2.webp'));
    const message = String(await loadCatalogue(folder).catch((reason: unknown) => reason));
    expect(message).toContain('m2.webp — не картинка image/webp');
    expect(message).toContain('w2.webp — 400x400, а нужно соотношение 3:4');
  });

  test('is refused for an id that is there twice, and for one that would leave the folder', async () => {
    expect(await loadWith((text) => text.replace('"id": "w7"', '"id": "w6"'))).toContain(
      `строка ${lineOf('"w7"')}, models.6.id: id «w6» занят записью выше`,
    );
    expect(await loadWith((text) => text.replace('"id": "w7"', '"id": "../w7"'))).toContain(
      `строка ${lineOf('"w7"')}, models.6.id: только строчные латинские буквы`,
    );
  });

  test('is refused unless exactly one background keeps the original', async () => {
    expect(await loadWith((text) => text.replace('"type": "keep_original"', '"type": "studio"'))).toContain(
      'сейчас их 0',
    );
    const twice = await loadWith((text) => text.replace('"type": "abstract"', '"type": "keep_original"'));
    expect(twice).toContain(`строка ${lineOf('"arches"') - 1}, backgrounds.5: нужен ровно один`);
  });

  test('is refused for a field that nobody knows and for JSON that breaks off', async () => {
    expect(await loadWith((text) => text.replace('"alt"', '"alternative"'))).toContain(
      `строка ${lineOf('"w1"') - 1}, models.0: Недопустимое значение: лишние поля: alternative`,
    );
    const broken = await loadWith((text) => text.slice(0, 500));
    expect(broken).toContain(`строка ${shipped.slice(0, 500).split('\n').length}: здесь нарушена запись JSON`);
    const comma = await loadWith((text) => text.replace('"ageRange": "18-25",', '"ageRange": "18-25"'));
    expect(comma).toMatch(new RegExp(`строка ${lineOf('"ageRange": "18-25",') + 1}: здесь нарушена`));
  });

  test('complains in Russian only', async () => {
    const message = await loadWith((text) =>
      text
        .replace('"isPremium": false', '"isPremium": "no"')
        .replace('"alt": "', '"alt": "", "was": "')
        .replace('"category": "women"', '"category": 1')
        .replace('"name": "', '"title": "'),
    );
    const complaints = message.split('\n').slice(1);
    expect(complaints.length).toBeGreaterThan(3);
    for (const complaint of complaints) {
      expect(complaint.replace(/^.*?, (строка \d+, [\w.]+: )/, '')).toMatch(/^(Обязательное|Недопустимое|не должно)/);
    }
  });
});
