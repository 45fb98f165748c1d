import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type FalModels, readFalModels } from '#api/adapters/generation-engines/fal/fal-models.ts';
import { createFalPhotographer } from '#api/adapters/generation-engines/fal/fal-photographer.ts';
import { loadCatalogue, MANIFEST, readManifest } from '#api/catalogue/load-catalogue.ts';
import { CatalogueError, locateBackground, locateModel, type Manifest } from '#api/catalogue/manifest.ts';
import { ConfigError, type readCatalogueConfig } from '#api/config/config.ts';
import { describeProblem, ENGINE_NAMES } from '#api/config/settings.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { openReviewFolder, type Progress, type ReviewFolder, readProgress } from './review-folder.ts';
import { writeReviewPage } from './review-page.ts';
import { type Shooting, type Shot, shoot } from './shoot.ts';

const USAGE = `npm run catalogue -- --engine fal                     makes pictures of all models and backgrounds for review
npm run catalogue -- --engine fal --to <folder>       into this folder (by default catalogue-fal)
npm run catalogue -- --engine fal --only w1,luxury    only these
npm run catalogue -- --engine fal --yes               does not ask before it spends money`;

/** How the command speaks with the operator. */
export interface Dialogue {
  print(line: string): void;
  /** Null when nobody can answer. */
  ask: ((question: string) => Promise<boolean>) | null;
  /** Ends the run. Orders that were sent are left to the next one. */
  signal: AbortSignal;
  /** For tests. */
  pollIntervalMs?: number;
}

type CatalogueConfig = ReturnType<typeof readCatalogueConfig>;
type TextModel = NonNullable<FalModels['catalogue']>;

/**
 * `npm run catalogue`: see USAGE. Says what it costs, asks, and makes the pictures that the folder lacks. Returns the
 * text to print. Throws an Error whose message is for the operator, also when a picture could not be made.
 */
export async function runCatalogueCommand(
  args: string[],
  config: CatalogueConfig,
  dialogue: Dialogue,
): Promise<string> {
  const { folder, only, isAgreed } = readArguments(args);
  if (!config.fal) throw new ConfigError([describeProblem('FAL_KEY', 'must be set for the engine fal', {})]);
  const { catalogue: model, currency, hosts } = readFalModels(config.fal.modelsFile);
  if (!model) throw new Error('В таблице моделей (ENGINE_MODELS) нет строки catalogue: назовите в ней модель');
  if (folder === config.catalogueDir) {
    throw new Error(`${folder} — действующий каталог. Назовите в --to другую папку и замените его после просмотра`);
  }
  const progress = readProgress(folder);
  // The folder has a copy of its own, in which the operator may have changed prompts.
  const { manifest } = await readManifest(existsSync(path.join(folder, MANIFEST)) ? folder : config.catalogueDir);
  const shots = listShots(manifest, only);
  const plan = planOrders(shots, progress);
  const price = (count: number) => formatMoney(count * model.price, currency);
  for (const line of describePlan(plan, { model, folder, price })) dialogue.print(line);
  if (plan.toOrder.length > 0 && !isAgreed) {
    if (!dialogue.ask) throw new Error('Некому ответить: запустите команду в терминале или добавьте --yes');
    if (!(await dialogue.ask('Продолжить? [y/N] '))) return 'Ничего не заказано.';
  }
  const review = openReviewFolder(folder, config.catalogueDir, listPlaces(manifest));
  try {
    const photographer = createFalPhotographer(config.fal, model, hosts);
    const showPage = () => writeReviewPage(folder, manifest, review.progress.made);
    showPage();
    const onMade = ({ place, name }: Shot) => {
      showPage();
      dialogue.print(`${countMade(shots, review)} из ${shots.length}: ${place} «${name}»`);
    };
    const shooting = await shoot(photographer, review, shots, { ...dialogue, onMade });
    return await summarise(shots, review, shooting, { price, isStopped: dialogue.signal.aborted });
  } finally {
    review.close();
  }
}

function readArguments(args: string[]): { folder: string; only: string[] | null; isAgreed: boolean } {
  const text = { type: 'string' } as const;
  let values: { engine?: string; to?: string; only?: string; yes?: boolean };
  try {
    ({ values } = parseArgs({ args, options: { engine: text, to: text, only: text, yes: { type: 'boolean' } } }));
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`);
  }
  const { engine, to = 'catalogue-fal', only, yes = false } = values;
  if (engine !== 'fal') {
    const isKnown = ENGINE_NAMES.some((name) => name === engine);
    throw new Error(isKnown ? `Движок ${engine} не делает каталог. Его делает fal\n\n${USAGE}` : USAGE);
  }
  const ids = only?.split(',').map((id) => id.trim());
  return { folder: path.resolve(to), only: ids?.filter(Boolean) ?? null, isAgreed: yes };
}

/** Throws an Error that names ids without an entry, or entries without a prompt. */
function listShots({ models, backgrounds }: Manifest, only: string[] | null): Shot[] {
  const entries = [
    ...models.map((model) => ({ ...model, place: locateModel(model) })),
    // This one stands for the background of the person's own photo.
    ...backgrounds
      .filter(({ type }) => type !== 'keep_original')
      .map((background) => ({ ...background, place: locateBackground(background) })),
  ];
  const unknown = only?.filter((id) => !entries.some((entry) => entry.id === id)) ?? [];
  if (unknown.length > 0) throw new Error(`В manifest.json нет моделей и фонов для съёмки: ${unknown.join(', ')}`);
  const wanted = only === null ? entries : entries.filter(({ id }) => only.includes(id));
  const silent = wanted.filter(({ prompt }) => prompt === undefined);
  if (silent.length > 0) {
    const places = silent.map(({ place }) => place).join(', ');
    throw new Error(`В manifest.json нет описаний (prompt): ${places}. Ничего не заказано`);
  }
  return wanted.map(({ id, name, place, prompt = '' }) => ({ id, name, place, prompt }));
}

function listPlaces({ models, backgrounds }: Manifest): string[] {
  return [...models.map(locateModel), ...backgrounds.map(locateBackground)];
}

interface Plan {
  made: Shot[];
  /** Ordered in an earlier run, and paid for. */
  toFetch: Shot[];
  toOrder: Shot[];
  /** Those to order whose submit broke off in an earlier run. */
  uncertain: Shot[];
}

function planOrders(shots: readonly Shot[], { made, jobs }: Progress): Plan {
  const missing = shots.filter(({ place }) => !made.has(place));
  const stateOf = ({ place }: Shot) => jobs.get(place)?.state;
  return {
    made: shots.filter(({ place }) => made.has(place)),
    toFetch: missing.filter((shot) => stateOf(shot) === 'submitted'),
    toOrder: missing.filter((shot) => stateOf(shot) !== 'submitted'),
    uncertain: missing.filter((shot) => stateOf(shot) === 'submitting'),
  };
}

type Price = (count: number) => string;

function describePlan(
  { made, toFetch, toOrder, uncertain }: Plan,
  { model, folder, price }: { model: TextModel; folder: string; price: Price },
): string[] {
  const lines = [`Движок fal, модель ${model.id}`, `Папка ${folder}`];
  if (made.length > 0) lines.push(`Сделано раньше: ${countPictures(made.length)}`);
  if (toFetch.length > 0) lines.push(`Заказано раньше, осталось забрать: ${countPictures(toFetch.length)}`);
  if (toOrder.length > 0) {
    lines.push(`Заказать: ${countPictures(toOrder.length)} по ${price(1)}, всего ${price(toOrder.length)}`);
  }
  if (uncertain.length > 0) {
    lines.push(`Из них уже отправлялись, но связь оборвалась, и первый заказ мог быть оплачен: ${listIds(uncertain)}`);
  }
  return lines;
}

async function summarise(
  shots: readonly Shot[],
  { path: folder, progress }: ReviewFolder,
  { ordered, failures, obstacle }: Shooting,
  { price, isStopped }: { price: Price; isStopped: boolean },
): Promise<string> {
  const { made, toFetch, toOrder } = planOrders(shots, progress);
  const failed = new Set(failures.map(({ shot }) => shot.place));
  const others = (list: readonly Shot[]) => list.filter(({ place }) => !failed.has(place));
  const lines = [`Сделано: ${made.length} из ${shots.length}. Заказов за этот запуск: ${ordered} на ${price(ordered)}`];
  if (isStopped) lines.unshift('Остановлено.');
  if (failures.length > 0) {
    lines.push('Не получилось:', ...failures.map(({ shot, reason }) => `  ${shot.id} «${shot.name}»: ${reason}`));
  }
  if (obstacle !== null) lines.push(`Заказы прекращены: ${obstacle}`);
  if (others(toFetch).length > 0) lines.push(`Заказано, осталось забрать: ${listIds(others(toFetch))}`);
  if (others(toOrder).length > 0) lines.push(`Не заказано: ${listIds(others(toOrder))}`);
  lines.push(`Посмотрите ${path.join(folder, 'index.html')}`);
  if (made.length < shots.length) {
    throw new Error([...lines, 'Повторите команду: она сделает только недостающее.'].join('\n'));
  }
  return [...lines, await describeUse(folder)].join('\n');
}

/** Whether the folder can replace the catalogue. */
async function describeUse(folder: string): Promise<string> {
  try {
    await loadCatalogue(folder);
    return `Если картинки хороши, задайте CATALOGUE_DIR=${folder} и перезапустите сервер.`;
  } catch (error) {
    if (error instanceof CatalogueError) return `Каталогом папка ещё не станет. ${error.message}`;
    throw error;
  }
}

function countMade(shots: readonly Shot[], { progress }: ReviewFolder): number {
  return shots.filter(({ place }) => progress.made.has(place)).length;
}

function listIds(shots: readonly Shot[]): string {
  return shots.map(({ id }) => id).join(', ');
}

function countPictures(count: number): string {
  return `${count} ${pluralize(count, ['картинка', 'картинки', 'картинок'])}`;
}

function formatMoney(micros: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'code', maximumFractionDigits: 4 } as const;
  return new Intl.NumberFormat('ru-RU', style).format(micros / 1_000_000);
}
