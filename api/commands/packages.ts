import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { AppContext } from '#api/app-context.ts';
import {
  addPackage,
  editPackage,
  listAllPackages,
  removePackage,
  restorePackage,
} from '#api/services/star-packages.ts';

const USAGE = `npm run packages                                                    список
npm run packages -- add --name=Показ --stars=50 --price=1990        добавить
npm run packages -- edit 3 --price=2190                             изменить (без полей: принять цену примера как свою)
npm run packages -- edit 3 --xtr=500                                цена в боте, в Telegram Stars (0: в боте не продавать)
npm run packages -- remove 3                                        снять с продажи
npm run packages -- restore 3                                       вернуть в продажу`;

const MAX_STARS = 100_000;
/** What a card may be charged at once. */
const MAX_PRICE_ROUBLES = 350_000;
/** What Telegram lets an invoice be. */
const MAX_PRICE_XTR = 100_000;

const packageId = z.coerce.number('номер пакета из списка').int().min(1).max(2_147_483_647);
const name = z.string('нужно --name').trim().min(1).max(50);
const stars = z.coerce.number('нужно --stars, целое число').int().min(1).max(MAX_STARS);
/** Roubles, to kopecks. */
const price = z
  .string('нужно --price')
  .regex(/^\d{1,6}([.,]\d{2})?$/, '--price: рубли, например 1990 или 1990,50')
  .transform((text) => Math.round(Number(text.replace(',', '.')) * 100))
  .pipe(
    z
      .number()
      .min(100)
      .max(MAX_PRICE_ROUBLES * 100),
  );

/** Whole Telegram Stars; 0 takes the package out of the bot. */
const xtr = z.coerce
  .number('--xtr: целое число Telegram Stars')
  .int()
  .min(0)
  .max(MAX_PRICE_XTR)
  .transform((price) => price || null)
  .optional();

/** `npm run packages`: lists, adds, changes, removes and restores packages of stars. Throws an Error whose message is for the operator. */
export async function runPackagesCommand(app: AppContext, args: string[]): Promise<string> {
  try {
    await change(app, args);
  } catch (error) {
    const complaint = error instanceof z.ZodError ? error.issues.map(({ message }) => message).join('\n') : null;
    const isTypo = complaint !== null || (error instanceof TypeError && 'code' in error);
    throw isTypo ? new Error(`${complaint ?? (error as Error).message}\n\n${USAGE}`) : error;
  }
  return describePackages(app);
}

async function change(app: AppContext, args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { name: text, stars: text, price: text, xtr: text };
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  const [action, target, ...rest] = positionals;
  const isAboutOne = action === 'edit' || action === 'remove' || action === 'restore';
  if (rest.length > 0 || (target !== undefined) !== isAboutOne) throw new Error(USAGE);
  switch (action) {
    case undefined:
      return;
    case 'add': {
      const {
        price: priceKopecks,
        xtr: priceXtr = null,
        ...fields
      } = z.object({ name, stars, price, xtr }).parse(values);
      await addPackage(app, { ...fields, priceKopecks, priceXtr });
      return;
    }
    case 'edit': {
      const {
        price: priceKopecks,
        xtr: priceXtr,
        ...fields
      } = z.object({ name, stars, price, xtr }).partial().parse(values);
      const given = {
        ...fields,
        ...(priceKopecks === undefined ? {} : { priceKopecks }),
        ...(priceXtr === undefined ? {} : { priceXtr }),
      };
      if (!(await editPackage(app, packageId.parse(target), given))) throw new Error(`Пакета ${target} нет.`);
      return;
    }
    case 'remove':
      if (!(await removePackage(app, packageId.parse(target)))) throw new Error(`Пакета ${target} нет.`);
      return;
    case 'restore':
      if (!(await restorePackage(app, packageId.parse(target)))) throw new Error(`Пакета ${target} нет.`);
      return;
    default:
      throw new Error(USAGE);
  }
}

async function describePackages(app: AppContext): Promise<string> {
  const packages = await listAllPackages(app);
  const rows = packages.map((one) => [
    String(one.id),
    one.name,
    `${one.stars} зв.`,
    `${(one.priceKopecks / 100).toFixed(2)} ₽`,
    one.priceXtr === null ? '' : `${one.priceXtr} ⭐`,
    one.isActive ? (one.isSample ? 'пример: задайте свою цену' : '') : 'снят с продажи',
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n') || 'Пакетов нет.';
}
