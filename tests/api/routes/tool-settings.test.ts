import { beforeAll, describe, expect, it, test } from 'vitest';
import { mergeAccounts } from '#api/services/account-lifecycle/merge-accounts.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { SETS_MAX } from '#shared/rules/setting-sets.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let user: TestUser;
beforeAll(async () => {
  user = await registerVerified(testApp);
});

const CHOICES = {
  video: { preset: 'walk', duration: 10, aspectRatio: '9:16' },
  model_change: { modelId: 'woman/w1', backgroundId: 'dunes' },
  try_on: { category: 'tops' },
} as const;

async function read({ cookie }: Pick<TestUser, 'cookie'> = user) {
  return (await testApp.server.inject({ url: '/api/tool-settings', headers: { cookie } })).json();
}

function send(method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, { cookie } = user) {
  return testApp.server.inject({ method, url, headers: { cookie }, ...(payload && { payload }) });
}

const save = (name: string, kind: keyof typeof CHOICES = 'video', settings: object = CHOICES[kind], by = user) =>
  send('POST', '/api/setting-sets', { kind, name, settings }, by);

/** A finished generation with these settings, made `ago` seconds ago. */
async function make(accountId: number, kind: GenerationKind, settings: object, ago: number, rerollOfId?: string) {
  const id = await createGeneration(testApp.app, accountId, kind);
  const createdAt = new Date(Date.now() - ago * 1000);
  await testApp.app.db.generation.update({
    where: { id },
    data: { settings, createdAt, ...(rerollOfId && { rerollOfId }) },
  });
  return id;
}

describe('the last settings', () => {
  it('are those of the newest start of each tool', async () => {
    const somebody = await registerVerified(testApp);
    const { id } = somebody.account;
    expect(await read(somebody)).toEqual({ last: {}, sets: [] });
    await make(id, 'video', { preset: 'spin', duration: 5, aspectRatio: '1:1' }, 20);
    await make(id, 'video', CHOICES.video, 10);
    await make(id, 'model_change', { ...CHOICES.model_change, isModelReplaced: true }, 10);
    await make(id, 'try_on', CHOICES.try_on, 10);
    await make(id, 'photosession', {}, 5);
    expect((await read(somebody)).last).toMatchObject(CHOICES);
  });

  it('are not those of a free re-roll, and not those of another account', async () => {
    const [somebody, other] = [await registerVerified(testApp), await createAccount(testApp.app)];
    const first = await make(somebody.account.id, 'try_on', CHOICES.try_on, 20);
    await make(somebody.account.id, 'try_on', { category: 'bottoms' }, 10, first);
    await make(other.id, 'try_on', { category: 'one-pieces' }, 5);
    expect((await read(somebody)).last.try_on).toEqual(CHOICES.try_on);
  });

  it('are left out where nothing is left of them', async () => {
    const somebody = await registerVerified(testApp);
    await make(somebody.account.id, 'model_change', {}, 10);
    expect((await read(somebody)).last).toEqual({});
  });
});

describe('a set of settings', () => {
  it('is kept under its name, renamed, and removed', async () => {
    const answer = await save('Каталог 3:4');
    expect(answer.statusCode).toBe(200);
    const { id } = answer.json();
    expect(answer.json()).toMatchObject({ kind: 'video', name: 'Каталог 3:4', settings: CHOICES.video });
    const renamed = await send('PATCH', `/api/setting-sets/${id}`, { name: 'Лето' });
    expect(renamed.json()).toEqual({ ...answer.json(), name: 'Лето' });
    expect((await read()).sets).toContainEqual(renamed.json());
    expect((await send('DELETE', `/api/setting-sets/${id}`)).statusCode).toBe(204);
    expect((await read()).sets).toEqual([]);
  });

  it('has a name that no other set of its tool has, whatever the case', async () => {
    expect((await save('Витрина')).statusCode).toBe(200);
    const again = await save('вИТРИНА');
    expect([again.statusCode, again.json().code]).toEqual([409, 'set_name_taken']);
    expect((await save('Витрина', 'try_on')).statusCode).toBe(200);
    const { id } = (await save('Осень')).json();
    const renamed = await send('PATCH', `/api/setting-sets/${id}`, { name: 'витрина' });
    expect([renamed.statusCode, renamed.json().code]).toEqual([409, 'set_name_taken']);
    expect((await send('PATCH', `/api/setting-sets/${id}`, { name: 'ОСЕНЬ' })).statusCode).toBe(200);
  });

  it('is one of at most fifty of its tool', async () => {
    const somebody = await registerVerified(testApp);
    const row = { accountId: somebody.account.id, kind: 'video' as const, settings: CHOICES.video };
    const names = Array.from({ length: SETS_MAX }, (_, index) => String(index));
    await testApp.app.db.settingSet.createMany({ data: names.map((name) => ({ ...row, name, nameKey: name })) });
    const refused = await save('Ещё один', 'video', CHOICES.video, somebody);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'sets_full']);
    expect((await save('Другой', 'model_change', CHOICES.model_change, somebody)).statusCode).toBe(200);
  });

  test.each([
    ['settings of another tool', 'model_change', CHOICES.video, 'Набор'],
    ['a length that no video has', 'video', { duration: 7 }, 'Набор'],
    ['an unknown kind of garment', 'try_on', { category: 'hats' }, 'Набор'],
    ['no background', 'model_change', { modelId: null }, 'Набор'],
    ['a photo session, which has no settings', 'photosession', {}, 'Набор'],
    ['no name', 'video', CHOICES.video, '  '],
    ['a name that is too long', 'video', CHOICES.video, 'я'.repeat(41)],
    ['a name of two lines', 'video', CHOICES.video, 'а\nб'],
  ])('is refused with %s', async (_, kind, settings, name) => {
    const answer = await send('POST', '/api/setting-sets', { kind, name, settings });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
  });

  it('goes along in a merge of accounts; of two with the same name the moved one gets a number', async () => {
    const [from, into] = [await registerVerified(testApp), await registerVerified(testApp)];
    for (const name of ['Лето', 'Зима', 'зима (2)']) await save(name, 'video', CHOICES.video, from);
    for (const name of ['зима']) await save(name, 'video', { preset: 'pose' }, into);
    await testApp.app.db.$transaction((tx) =>
      mergeAccounts(testApp.app, tx, { fromId: from.account.id, intoId: into.account.id }),
    );
    const { sets } = await read(into);
    expect(sets.map(({ name }: { name: string }) => name)).toEqual(['зима', 'зима (2)', 'Зима (3)', 'Лето']);
  });
});
