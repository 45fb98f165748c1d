import { parseArgs } from 'node:util';
import { z } from 'zod';
import { describeExpected, describeProblems } from '#api/config/settings.ts';
import {
  addPackage,
  editPackage,
  listAllPackages,
  removePackage,
  restorePackage,
} from '#api/services/stars/packages.ts';
import type { OperatorContext } from './operator-context.ts';

const USAGE = `npm run packages                                                    lists them
npm run packages -- add --name=Показ --stars=50 --price=1990        adds one
npm run packages -- edit 3 --price=2190                             changes one (without fields: takes a sample's price as yours)
npm run packages -- edit 3 --xtr=500                                its price in the bot, in Telegram Stars (0: not sold there)
npm run packages -- remove 3                                        takes one out of the sale
npm run packages -- restore 3                                       puts it back`;

const MAX_STARS = 100_000;
/** Largest price that a card can usually be charged at once. */
const MAX_PRICE_ROUBLES = 350_000;
/** Telegram's limit for an invoice. */
const MAX_PRICE_XTR = 100_000;

const MAX_ID = 2_147_483_647;

const packageId = z.object({ id: z.coerce.number('a number of the list').int().min(1).max(MAX_ID) });
const name = z.string().trim().min(1).max(50);
const stars = z.coerce.number().int().min(1).max(MAX_STARS);
/** Roubles, converted to kopecks: 99.5 and 99.50 are equal. */
const price = z
  .string()
  .regex(/^\d{1,6}([.,]\d{1,2})?$/, 'roubles, such as 1990, 99.5 or 1990.50')
  .transform((text) => Math.round(Number(text.replace(',', '.')) * 100))
  .pipe(
    z
      .number()
      .min(100, 'at least 1 rouble')
      .max(MAX_PRICE_ROUBLES * 100, `at most ${MAX_PRICE_ROUBLES} roubles`),
  );

/** Whole Telegram Stars. 0 removes the package from the bot. */
const xtr = z.coerce
  .number()
  .int()
  .min(0)
  .max(MAX_PRICE_XTR)
  .transform((price) => price || null)
  .optional();

/**
 * `npm run packages`: lists, adds, changes, removes and restores packages of stars. Throws an Error whose message is
 * for the operator.
 */
export async function runPackagesCommand(app: OperatorContext, args: string[]): Promise<string> {
  try {
    await change(app, args);
  } catch (error) {
    const isTypo = error instanceof TypoError || (error instanceof TypeError && 'code' in error);
    throw isTypo ? new Error(`${error.message}\n\n${USAGE}`) : error;
  }
  return describePackages(app);
}

async function change(app: OperatorContext, args: string[]): Promise<void> {
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
      } = parseTyped(values, z.object({ name, stars, price, xtr }), (option) => `--${option}`);
      await addPackage(app, { ...fields, priceKopecks, priceXtr });
      return;
    }
    case 'edit': {
      const {
        price: priceKopecks,
        xtr: priceXtr,
        ...fields
      } = parseTyped(values, z.object({ name, stars, price, xtr }).partial(), (option) => `--${option}`);
      const given = {
        ...fields,
        ...(priceKopecks === undefined ? {} : { priceKopecks }),
        ...(priceXtr === undefined ? {} : { priceXtr }),
      };
      await assertFound(target, (id) => editPackage(app, id, given));
      return;
    }
    case 'remove':
      await assertFound(target, (id) => removePackage(app, id));
      return;
    case 'restore':
      await assertFound(target, (id) => restorePackage(app, id));
      return;
    default:
      throw new Error(USAGE);
  }
}

class TypoError extends Error {}

/** `spell`: how a field is written on the command line. Throws TypoError. */
function parseTyped<Shape extends z.ZodType>(
  typed: Record<string, string | undefined>,
  shape: Shape,
  spell: (field: string) => string,
): z.output<Shape> {
  const parsed = shape.safeParse(typed, { error: describeExpected });
  if (!parsed.success) throw new TypoError(describeProblems(parsed.error, typed, spell).join('\n'));
  return parsed.data;
}

/** Changes the package with the typed number of the list. Throws when there is none. */
async function assertFound(target: string | undefined, change: (id: number) => Promise<object | null>): Promise<void> {
  const { id } = parseTyped({ id: target }, packageId, () => 'package');
  if ((await change(id)) === null) throw new Error(`There is no package ${id}. npm run packages lists those that are`);
}

async function describePackages(app: OperatorContext): Promise<string> {
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
