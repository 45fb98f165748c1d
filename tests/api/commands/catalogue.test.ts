import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadCatalogue } from '#api/catalogue/load-catalogue.ts';
import { type Dialogue, runCatalogueCommand } from '#api/commands/catalogue/run-catalogue-command.ts';
import { readCatalogueConfig } from '#api/config/config.ts';
import { runChildScript } from '#tests/support/child-script.ts';
import { createFakeFal, type FakeFal } from '#tests/support/fake-fal.ts';
import { FAL_ANSWERS, modelError } from '#tests/support/fake-fal-rules.ts';

const FIELDS = { ageRange: '18-25', category: 'women', alt: 'Модель' };
const SCENE = { type: 'studio', isPremium: false, description: 'Фон', alt: 'Фон', floor: 0.7 };
const MANIFEST = {
  models: [
    { ...FIELDS, id: 'w1', name: 'Анна', prompt: 'An adult woman called <b>' },
    { ...FIELDS, id: 'm1', name: 'Глеб', prompt: 'An adult man', category: 'men' },
  ],
  backgrounds: [
    { ...SCENE, id: 'keep_original', name: 'Как на фото', type: 'keep_original', floor: null },
    { ...SCENE, id: 'hall', name: 'Зал', prompt: 'An empty hall' },
  ],
};
const PLACES = ['woman/w1', 'man/m1', 'backgrounds/keep_original', 'backgrounds/hall'];

let root: string;
let folder: string;
let fake: FakeFal;
let env: Record<string, string>;
let printed: string[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'podium-shots-'));
  folder = path.join(root, 'review');
  fake = await createFakeFal();
  env = { ...fake.settings, CATALOGUE_DIR: path.join(root, 'catalogue') };
  printed = [];
  for (const name of ['woman', 'man', 'backgrounds'])
    await mkdir(path.join(root, 'catalogue', name), { recursive: true });
  await writeManifest(MANIFEST);
  const drawing = sharp({ create: { width: 30, height: 40, channels: 3, background: '#888' } });
  for (const place of PLACES) {
    for (const type of ['webp', 'avif']) await drawing.clone().toFile(path.join(root, 'catalogue', `${place}.${type}`));
  }
});
afterEach(async () => {
  await fake.close();
  await rm(root, { recursive: true });
});

function writeManifest(manifest: object, into = path.join(root, 'catalogue')): Promise<void> {
  return writeFile(path.join(into, 'manifest.json'), JSON.stringify(manifest));
}

function run(args: string[], changes: Partial<Dialogue> = {}): Promise<string> {
  const { signal } = new AbortController();
  const dialogue = {
    print: (line: string) => void printed.push(line),
    ask: null,
    signal,
    pollIntervalMs: 1,
    ...changes,
  };
  return runCatalogueCommand(['--engine', 'fal', '--to', folder, ...args], readCatalogueConfig(env), dialogue);
}

/** What was ordered at fal, and paid for. */
const listOrders = () => fake.jobs.map(({ input }) => (input as { prompt: string }).prompt).sort();
const PROMPTS_OF_PEOPLE = ['An adult man', 'An adult woman called <b>'];
/** Encoding the picture of a scene takes a while, so most tests leave it out. */
const PEOPLE = ['--only', 'w1,m1'];

/** The text with plain spaces. */
const flatten = (text: string) => text.replaceAll('\u00a0', ' ');

describe('before money is spent', () => {
  test('the command says what it costs, and orders nothing and makes nothing when the answer is no', async () => {
    const ask = vi.fn(async () => false);
    expect(await run([], { ask })).toBe('Ничего не заказано.');
    expect(ask).toHaveBeenCalledWith('Продолжить? [y/N] ');
    expect(printed.map(flatten)).toEqual([
      'Движок fal, модель fal-ai/bytedance/seedream/v4/text-to-image',
      `Папка ${folder}`,
      'Заказать: 3 картинки по 0,03 USD, всего 0,09 USD',
    ]);
    expect([fake.calls.submit, existsSync(folder)]).toEqual([0, false]);
  });

  test.each<[string, () => Promise<string>, RegExp]>([
    ['nobody can answer', () => run([]), /Некому ответить.*--yes/],
    ['an id is unknown', () => run(['--yes', '--only', 'w1,zz,keep_original']), /для съёмки: zz, keep_original$/],
    ['the engine makes none', () => run(['--engine', 'comfyui']), /^Движок comfyui не делает каталог/],
    ['the engine is not named', () => run(['--engine', '']), /^npm run catalogue -- --engine fal /],
    ['an option is unknown', () => run(['--all']), /--all/],
    ['the folder is the catalogue in use', () => run(['--yes', '--to', `${root}/catalogue`]), /действующий каталог/],
    ['the folder cannot be made', () => run(['--yes', '--to', `${root}/catalogue/manifest.json/a`]), /ENOTDIR/],
    ['the folder holds other files', () => run(['--yes', '--to', root]), /занята другими файлами/],
  ])('it stops with words when %s', async (_what, act, words) => {
    await expect(act()).rejects.toThrow(words);
    expect([fake.calls.submit, existsSync(folder)]).toEqual([0, false]);
  });

  test('it wants the key of fal and a model in the table', async () => {
    const { FAL_KEY: _key, ...others } = env;
    env = others;
    await expect(run(['--yes'])).rejects.toThrow('FAL_KEY: must be set for the engine fal (is not set)');
    const table = path.join(root, 'models.json');
    await writeFile(table, '{ "currency": "USD" }');
    env = { ...others, ...fake.settings, ENGINE_MODELS: table };
    await expect(run(['--yes'])).rejects.toThrow('нет строки catalogue');
  });

  test('it names the entries of an older manifest that have no prompt', async () => {
    const [first, { prompt: _prompt, ...second }] = MANIFEST.models as [object, { prompt?: string }];
    await writeManifest({ ...MANIFEST, models: [first, second] });
    await expect(run(['--yes'])).rejects.toThrow('нет описаний (prompt): man/m1. Ничего не заказано');
    expect([fake.calls.submit, existsSync(folder)]).toEqual([0, false]);
  });
});

test('every picture is made once, and the folder becomes a catalogue that the server reads', async () => {
  const report = await run(['--yes']);
  expect(flatten(report)).toContain('Сделано: 3 из 3. Заказов за этот запуск: 3 на 0,09 USD');
  expect(report).toContain(`CATALOGUE_DIR=${folder} `);
  expect(listOrders()).toEqual([...PROMPTS_OF_PEOPLE, 'An empty hall']);
  const { models, backgrounds } = await loadCatalogue(folder);
  expect(models.map(({ width, height }) => [width, height])).toEqual([1, 2].map(() => [600, 800]));
  expect(backgrounds.map(({ width }) => width)).toEqual([30, 1080]);
  const [original] = await readdir(path.join(folder, 'originals/man'));
  expect(await sharp(path.join(folder, 'originals/man', `${original}`)).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1536,
    height: 2048,
  });
  const page = await readFile(path.join(folder, 'index.html'), 'utf8');
  for (const part of ['Новых картинок: 3', 'Глеб', 'woman/w1.webp', 'called &#60;b&#62;', 'top:70%']) {
    expect(page).toContain(part);
  }

  printed = [];
  await run([]);
  expect(printed.at(-1)).toBe('Сделано раньше: 3 картинки');
  expect(fake.jobs).toHaveLength(3);
});

test('a picture whose original was removed is made again, from the words in the folder', async () => {
  await run(['--yes', '--only', 'm1']);
  expect((await loadCatalogue(folder)).models.map(({ width }) => width)).toEqual([30, 600]);
  await rm(path.join(folder, 'originals/man'), { recursive: true });
  const models = MANIFEST.models.map((model) => ({ ...model, prompt: `${model.prompt}, smiling` }));
  await writeManifest({ ...MANIFEST, models }, folder);
  await run(['--yes', '--only', 'm1']);
  expect(listOrders()).toEqual(['An adult man', 'An adult man, smiling']);
});

test('a process that is killed pays for nothing twice and loses nothing', async () => {
  fake.behave({ fate: { kind: 'running' } });
  const child = runChildScript(
    `import { runCatalogueCommand } from '#api/commands/catalogue/run-catalogue-command.ts';
     import { readCatalogueConfig } from '#api/config/config.ts';
     const dialogue = { print: console.log, ask: null, signal: new AbortController().signal, pollIntervalMs: 1 };
     await runCatalogueCommand(['--engine', 'fal', '--to', process.env.FOLDER, '--only', 'w1,m1', '--yes'],
       readCatalogueConfig(), dialogue);`,
    { ...env, FOLDER: folder },
  );
  for (let line = ''; !line.startsWith('1 из 2'); ) line = await child.nextLine();
  await expect(run(['--yes'])).rejects.toThrow('эта команда уже работает');
  await child.kill();
  expect(fake.jobs).toHaveLength(2);
  fake.recover();
  printed = [];
  // Nobody is asked, because nothing is ordered.
  expect(await run(PEOPLE)).toContain('Сделано: 2 из 2. Заказов за этот запуск: 0');
  expect(printed).toContain('Заказано раньше, осталось забрать: 1 картинка');
  expect(listOrders()).toEqual(PROMPTS_OF_PEOPLE);
});

test('an order whose submit broke off is named, and sent again only after consent', async () => {
  fake.behave({ call: ['submit', 'take_and_cut'] });
  await expect(run(['--yes', '--only', 'm1'])).rejects.toThrow(/m1 «Глеб»: связь оборвалась при отправке/);
  printed = [];
  await run(['--only', 'm1'], { ask: async () => false });
  expect(printed.at(-1)).toMatch(/мог быть оплачен: m1$/);
  expect(listOrders()).toEqual(['An adult man']);
  expect(await run(['--yes', '--only', 'm1'])).toContain('Сделано: 1 из 1');
  expect(listOrders()).toEqual(['An adult man', 'An adult man']);
});

test('a refused picture is named with its reason, the others are made, and the next run makes only it', async () => {
  fake.behave({ fate: { kind: 'failed', answer: modelError('content_policy_violation') } });
  const refused = await run(['--yes', ...PEOPLE]).catch((error: Error) => error.message);
  expect(refused).toContain('Сделано: 1 из 2');
  // Both orders are sent at the same moment, so either may be the one that fal refuses.
  const words = /\n {2}(w1|m1) «[^»]+»: правила движка не пропускают описание.*content_policy_violation/;
  const [, id] = words.exec(refused) ?? [];
  expect(await run(['--yes', ...PEOPLE])).toContain('Сделано: 2 из 2. Заказов за этот запуск: 1');
  const { prompt: again = '' } = MANIFEST.models.find((model) => model.id === id) ?? {};
  expect(listOrders()).toEqual([...PROMPTS_OF_PEOPLE, again].sort());
});

test('an empty balance stops the orders, and the next run goes on', async () => {
  const others = Array.from({ length: 8 }, (_, index) => ({ ...FIELDS, id: `o${index}`, name: 'Ада', prompt: 'Ada' }));
  await writeManifest({ ...MANIFEST, models: [...MANIFEST.models, ...others] });
  fake.behave({ call: ['submit', FAL_ANSWERS.unfunded], times: 100 });
  const refused = await run(['--yes']).catch((error: Error) => error.message);
  expect(refused).toMatch(/Заказы прекращены: на балансе закончились деньги.*403/);
  expect(refused).toMatch(/Не заказано: w1, m1, o0, .*, o7, hall\n/);
  // Those that were under way together.
  expect(fake.calls.submit).toBeLessThanOrEqual(4);
  fake.recover();
  expect(flatten(await run(['--yes', '--only', 'm1']))).toContain('Заказов за этот запуск: 1 на 0,03 USD');
});

test('a file at an unknown host stops the orders, because the next one would be lost, too', async () => {
  fake.behave({ fate: { kind: 'file', fault: 'foreign' } });
  await expect(run(['--yes', '--only', 'm1'])).rejects.toThrow(/Заказы прекращены: .*unknown host, localhost/);
});

test.each([
  ['broken', /w1.*не открывается/],
  ['missing', /w1.*больше не хранит/],
] as const)('a %s file is named, and its picture is ordered again by the next run', async (fault, words) => {
  fake.behave({ fate: { kind: 'file', fault } });
  await expect(run(['--yes', '--only', 'w1'])).rejects.toThrow(words);
  await run(['--yes', '--only', 'w1']);
  expect(fake.jobs).toHaveLength(2);
});

test('a stop leaves the orders at fal to the next run', async () => {
  fake.behave({ fate: { kind: 'running' }, times: 2 });
  const stop = new AbortController();
  const running = run(['--yes', ...PEOPLE], { signal: stop.signal });
  await vi.waitUntil(() => fake.jobs.length === 2, 60_000);
  stop.abort();
  await expect(running).rejects.toThrow(/^Остановлено\.[\s\S]*осталось забрать: w1, m1\n/);
  fake.recover();
  await run(PEOPLE);
  expect(listOrders()).toEqual(PROMPTS_OF_PEOPLE);
});
