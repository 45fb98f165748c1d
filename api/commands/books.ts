import { type Books, readBooks } from '#api/services/administration/books.ts';
import { MICROS } from '#api/services/administration/engine-analytics.ts';
import { nameEngine } from '#shared/contract/engines.ts';
import type { OperatorContext } from './operator-context.ts';

/**
 * `npm run books`: prints the books, read from the database alone. Throws an Error with the same text when a sum does
 * not match.
 */
export async function runBooksCommand(app: OperatorContext, args: string[]): Promise<string> {
  if (args.length > 0) throw new Error(`npm run books: no arguments (found «${args.join(' ')}»)`);
  const books = await readBooks(app);
  const text = describeBooks(books);
  if (books.discrepancies.length > 0) throw new Error(text);
  return text;
}

function describeBooks({ money, stars, engines, discrepancies }: Books): string {
  const { signupBonuses, interviewBonuses, lostFiles, corrections } = stars;
  const given = signupBonuses + interviewBonuses + lostFiles + corrections;
  const lines: [name: string, value: string][] = [
    ...[false, true].flatMap((isTest) =>
      describeMoney(
        money.find((one) => one.currency === 'RUB' && one.isTest === isTest),
        isTest,
      ),
    ),
    ...money.filter(({ currency }) => currency === 'XTR').flatMap(describeTelegramStars),
    [
      'Продано звёзд',
      stars.soldInTests > 0 ? `${stars.sold} (из них без денег: ${stars.soldInTests})` : `${stars.sold}`,
    ],
    [
      'Подарено и исправлено',
      `${given} (регистрация ${signupBonuses}, интервью ${interviewBonuses}, за потерянные файлы ${lostFiles}, вручную ${corrections})`,
    ],
    ['Потрачено на генерации', `${stars.spent} (уже без возвращённых за неудачи: ${stars.releasedForFailures})`],
    ['Удержано сейчас', String(stars.held)],
    ['Снято при возвратах', String(stars.returned)],
    ['На балансах', String(stars.outstanding)],
    ...engines.map(describeEngineCosts),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  const table = lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
  const verdict =
    discrepancies.length === 0
      ? 'Книги сходятся.'
      : `Книги НЕ сходятся:\n${discrepancies.map((one) => `  ${one}`).join('\n')}`;
  return `${table}\n\n${verdict}`;
}

function describeMoney(sums: Books['money'][number] | undefined, isTest: boolean): [string, string][] {
  if (!sums && isTest) return [];
  const { inMinor, payments, outMinor, refunds } = sums ?? { inMinor: 0, payments: 0, outMinor: 0, refunds: 0 };
  const kind = isTest ? ' (тестовые, без денег)' : '';
  return [
    [`Получено${kind}`, `${formatRoubles(inMinor)} за ${payments} платеж.`],
    [`Возвращено${kind}`, `${formatRoubles(outMinor)} за ${refunds} возвр.`],
  ];
}

function describeTelegramStars({ inMinor, payments, outMinor, refunds }: Books['money'][number]): [string, string][] {
  return [
    ['Получено в Telegram', `${inMinor / 100} Telegram Stars за ${payments} платеж.`],
    ['Возвращено в Telegram', `${outMinor / 100} Telegram Stars за ${refunds} возвр.`],
  ];
}

function describeEngineCosts(costs: Books['engines'][number]): [string, string] {
  const { engine, currency, jobs, micros, resubmits, rerolls, probes, uncertain } = costs;
  const [all, again, free, own, unsure] = [micros, resubmits, rerolls, probes, uncertain].map((sum) =>
    (sum / MICROS).toFixed(2),
  );
  return [
    `Затраты на движок ${nameEngine(engine)}`,
    `${all} ${currency} за ${jobs} задан. (повторы ${again}, бесплатные переделки ${free}, свои пробы ${own}, оборванные отправки ${unsure})`,
  ];
}

function formatRoubles(kopecks: number): string {
  return `${(kopecks / 100).toFixed(2)} ₽`;
}
