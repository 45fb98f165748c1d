import { afterAll, beforeAll, expect, it } from 'vitest';
import { runPackagesCommand } from '#api/commands/packages.ts';
import { createAccount } from '#tests/support/factories.ts';
import { createPaymentHarness, type PaymentHarness } from '#tests/support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const run = (...args: string[]) => runPackagesCommand(harness.app, args);
const listForSale = async () =>
  (await harness.server.inject({ url: '/api/payments/star-packages' })).json() as { id: number; name: string }[];

it('lists the packages that came with the code as samples', async () => {
  const lines = (await run()).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^1 +Примерка +10 зв\. +490\.00 ₽ +пример: задайте свою цену$/);
});

it('adds a package, which is for sale at once', async () => {
  expect(await run('add', '--name=Сезон', '--stars=200', '--price=5990,50')).toMatch(/Сезон +200 зв\. +5990\.50 ₽$/m);
  expect((await listForSale()).at(-1)).toMatchObject({ name: 'Сезон', stars: 200, priceRub: 5990.5 });
});

it('changes a package or leaves it as it is, and either way it is no sample any more', async () => {
  expect(await run('edit', '1', '--price=590')).toMatch(/^1 +Примерка +10 зв\. +590\.00 ₽$/m);
  expect(await run('edit', '2')).toMatch(/^2 +Коллекция +20 зв\. +900\.00 ₽$/m);
});

it.each(['99.5', '99.50', '99,5', '99,50'])('reads a price of %s roubles exactly', async (price) => {
  expect(await run('edit', '2', `--price=${price}`)).toMatch(/^2 +Коллекция +20 зв\. +99\.50 ₽$/m);
});

it('takes a package out of the sale, but not from the payments that name it', async () => {
  const account = await createAccount(harness.app);
  const { invoiceId } = await harness.buy(account.id, 3);
  expect(await run('remove', '3')).toMatch(/^3 +Показ +.* снят с продажи$/m);
  expect((await listForSale()).map(({ id }) => id)).not.toContain(3);
  expect(await harness.app.db.payment.findUniqueOrThrow({ where: { id: invoiceId } })).toMatchObject({
    packageId: 3,
    packageName: 'Показ',
    status: 'succeeded',
  });
  expect(await run('edit', '3', '--price=2190')).toMatch(/^3 +Показ +.* снят с продажи$/m);
  expect((await listForSale()).map(({ id }) => id)).not.toContain(3);
  await run('restore', '3');
  expect((await listForSale()).map(({ id }) => id)).toContain(3);
});

it('notes every change in the audit as the operator’s', async () => {
  const entries = await harness.app.db.auditEntry.findMany({ orderBy: { id: 'asc' } });
  expect(new Set(entries.map(({ adminId, action }) => `${adminId} ${action}`))).toEqual(
    new Set(['null package_changed']),
  );
  expect(entries[0]?.details).toEqual({
    change: 'added',
    packageId: 5,
    name: 'Сезон',
    stars: 200,
    priceRub: 5990.5,
    priceXtr: null,
  });
});

it.each([
  [['add', '--name=Без цены', '--stars=1'], '--price: a string (is not set)'],
  [['add', '--name=Без звёзд', '--price=100'], '--stars: a number (is not set)'],
  [['add', '--stars=5', '--price=100'], '--name: a string (is not set)'],
  [['add', '--name=Даром', '--stars=5', '--price=0'], '--price: at least 1 rouble (is «0»)'],
  [['edit', '1', '--price=99.555'], '--price: roubles, such as 1990, 99.5 or 1990.50 (is «99.555»)'],
  [['edit', '1', '--price=999999'], '--price: at most 350000 roubles (is «999999»)'],
  [['add', '--name=Дробно', '--stars=1.5', '--price=100'], '--stars: a whole number (is «1.5»)'],
  [['edit'], 'npm run packages'],
  [['edit', 'первый'], 'package: a number of the list (is «первый»)'],
  [['edit', '999'], 'There is no package 999'],
  [['remove', '999'], 'There is no package 999'],
  [['restore', '999'], 'There is no package 999'],
  [['restore'], 'npm run packages'],
  [['remove', '1', '2'], 'npm run packages'],
  [['sell'], 'npm run packages'],
  [['--colour=red'], 'npm run packages'],
])('%j is refused and changes nothing', async (args, complaint) => {
  const before = await run();
  await expect(run(...args)).rejects.toThrow(complaint);
  // Complaints are in English. Only what the operator has typed may be Russian in them.
  await expect(run(...args)).rejects.not.toThrow(/Недопустимое|Обязательное|нужно/);
  expect(await run()).toBe(before);
});
