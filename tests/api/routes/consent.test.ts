import { afterEach, expect, test } from 'vitest';
import { ACCOUNT_TEXTS, listConsents, user as userSchema } from '#shared/contract/account.ts';
import { toolAbilities } from '#shared/contract/tools.ts';
import { CONSENT_VERSIONS, DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { createFinding, createGeneration, createImageResult, createStoredPhoto } from '#tests/support/factories.ts';
import { type UserWithPhoto, useToolHarness } from '#tests/support/tool-harness.ts';
import { createAdmin, newEmail, nextAddress, PASSWORD, registerVerified, type TestUser } from '#tests/support/users.ts';

const EARLIER = '2020-01-01';

const harness = useToolHarness();
const { call, countTraces, expectRefusal, readyUser, send } = harness;

afterEach(() => switchEngine('nowhere'));

function switchEngine(photosTravel: 'nowhere' | 'operator' | 'abroad'): void {
  Object.assign(harness.testApp.engine, { photosTravel });
}

const consentTo = (user: TestUser, version: unknown, kind: unknown = 'documents') =>
  call(user, { method: 'POST', url: '/api/account/consents', payload: { kind, version } });
const readAccount = ({ account: { id } }: TestUser) =>
  harness.testApp.app.db.account.findUniqueOrThrow({ where: { id } });
const readUser = async (user: TestUser) => userSchema.parse((await call(user, { url: '/api/auth/user' })).json());

/** A person with a photo whose consent to this version is stored. */
async function consented(version: string | null): Promise<UserWithPhoto> {
  const user = await readyUser();
  const consent = { consentVersion: version, consentAt: version === null ? null : new Date(0) };
  await harness.testApp.app.db.account.update({ where: { id: user.account.id }, data: consent });
  return user;
}

test('a free re-roll asks for the consent too', async () => {
  const { app } = harness.testApp;
  const user = await consented(EARLIER);
  const photo = await createStoredPhoto(app, user.account.id);
  const id = await createGeneration(app, user.account.id, 'photosession', 'completed', photo);
  const frame = { generationId: id, position: 0, width: 60, height: 80 };
  await createFinding(app, await createImageResult(app, user.account.id, frame), 'drifted');
  const reroll = () => call(user, { method: 'POST', url: `/api/generations/${id}/reroll` });
  await expectRefusal(reroll(), 403, 'consent_required');
  await consentTo(user, DOCUMENTS_VERSION);
  expect((await reroll()).statusCode).toBe(200);
});

test('a photo that comes with a refused start is not kept', async () => {
  const user = await consented(EARLIER);
  await expectRefusal(send(user, '/api/photosession', [['image', harness.photoPart]]), 403, 'consent_required');
  expect(await countTraces(user)).toEqual({ photos: 1, generations: 0, holds: 0 });
});

test.each([EARLIER, null])('a photo is not taken from an account that has agreed to %s', async (version) => {
  const user = await consented(version);
  const upload = () => send(user, '/api/upload', [['image', harness.photoPart]]);
  await expectRefusal(upload(), 403, 'consent_required');
  expect(await countTraces(user)).toMatchObject({ photos: 1 });
  await consentTo(user, DOCUMENTS_VERSION);
  expect((await upload()).statusCode).toBe(200);
});

test('an account that an operator’s command has made, and one that registered without a consent, are asked first', async () => {
  const { app } = harness.testApp;
  const admin = await createAdmin(harness.testApp);
  const silent = await registerVerified(harness.testApp, { consentVersion: null });
  for (const { account, cookie } of [admin, silent]) {
    expect(account.consentVersion).toBeNull();
    const photo = await createStoredPhoto(app, account.id);
    await app.db.account.update({ where: { id: account.id }, data: { hasPrintedPassword: false, starBalance: 2 } });
    await expectRefusal(send({ cookie }, '/api/upload', [['image', harness.photoPart]]), 403, 'consent_required');
    await expectRefusal(send({ cookie }, '/api/photosession', [['imageId', photo.id]]), 403, 'consent_required');
  }
});

test('a tool that takes photos abroad needs a consent of its own, and the others go on without it', async () => {
  const start = (user: UserWithPhoto, key: string) => harness.start(user, user.imageId, {}, { 'idempotency-key': key });
  const codeOf = async (user: UserWithPhoto, key: string) => {
    const response = await start(user, key);
    const { generationId, code } = response.json();
    if (generationId) await call(user, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
    return response.statusCode === 200 ? 'started' : code;
  };
  const [anna, silent] = [await consented(DOCUMENTS_VERSION), await consented(null)];
  switchEngine('operator');
  expect(await codeOf(anna, '1')).toBe('started');
  switchEngine('abroad');
  expect(await codeOf(anna, '2')).toBe('transfer_consent_required');
  // The photo itself stays here.
  expect((await send(anna, '/api/upload', [['image', harness.photoPart]])).statusCode).toBe(200);
  // What was started before is answered as before.
  expect((await start(anna, '1')).statusCode).toBe(200);
  expect((await consentTo(anna, TRANSFER_VERSION, 'transfer')).json()).toMatchObject({
    consentVersion: DOCUMENTS_VERSION,
    transferConsentVersion: TRANSFER_VERSION,
  });
  expect(await codeOf(anna, '3')).toBe('started');
  // One consent is not the other.
  await consentTo(silent, TRANSFER_VERSION, 'transfer');
  expect(await codeOf(silent, '3')).toBe('consent_required');

  const withdraw = () => call(anna, { method: 'DELETE', url: '/api/account/consents/transfer' });
  expect(userSchema.parse((await withdraw()).json()).transferConsentVersion).toBeNull();
  expect((await withdraw()).statusCode).toBe(200);
  expect(await codeOf(anna, '4')).toBe('transfer_consent_required');
  switchEngine('nowhere');
  expect(await codeOf(anna, '5')).toBe('started');
});

test('everybody is told which versions are in force, and the account what it agreed to and when', async () => {
  const user = await consented(EARLIER);
  const { documentsVersion, transferVersion } = toolAbilities.parse(
    (await call({ cookie: '' }, { url: '/api/tools' })).json(),
  );
  expect([documentsVersion, transferVersion]).toEqual([DOCUMENTS_VERSION, TRANSFER_VERSION]);
  const read = async () => listConsents.answer.parse((await call(user, { url: '/api/account/consents' })).json());
  expect(await read()).toEqual({
    documents: { inForce: DOCUMENTS_VERSION, agreed: { version: EARLIER, at: new Date(0).toISOString() } },
    transfer: { inForce: TRANSFER_VERSION, agreed: null, isNeeded: false },
  });
  switchEngine('abroad');
  await consentTo(user, TRANSFER_VERSION, 'transfer');
  expect((await read()).transfer).toMatchObject({ isNeeded: true, agreed: { version: TRANSFER_VERSION } });
  expect((await readUser(user)).consentVersion).toBe(EARLIER);
});

test('a consent is kept with its time; only the version in force is taken, and a repeat changes nothing', async () => {
  const user = await consented(EARLIER);
  for (const version of [EARLIER, TRANSFER_VERSION, '', 'x'.repeat(1000), null, 1, undefined]) {
    const { message } = await expectRefusal(consentTo(user, version), 400, 'invalid_request');
    expect(message).toBe(ACCOUNT_TEXTS.newConsentOutdated);
  }
  await expectRefusal(consentTo(user, DOCUMENTS_VERSION, 'transfer'), 400, 'invalid_request');
  await expectRefusal(consentTo(user, DOCUMENTS_VERSION, 'all'), 400, 'invalid_request');
  expect(await readAccount(user)).toMatchObject({ consentVersion: EARLIER, consentAt: new Date(0) });

  for (const [kind, version] of Object.entries(CONSENT_VERSIONS)) {
    await consentTo(user, version, kind);
    const first = await readAccount(user);
    const [stored, at] =
      kind === 'documents'
        ? [first.consentVersion, first.consentAt]
        : [first.transferConsentVersion, first.transferConsentAt];
    expect(stored).toBe(version);
    expect(Date.now() - (at?.getTime() ?? 0)).toBeLessThan(60_000);
    await consentTo(user, version, kind);
    expect(await readAccount(user)).toEqual(first);
  }
});

test('who registers agrees to the version in force, wherever photos go', async () => {
  switchEngine('abroad');
  const register = (consentVersion: string) =>
    harness.testApp.server.inject({
      method: 'POST',
      url: '/api/register',
      remoteAddress: nextAddress(),
      payload: { email: newEmail(), password: PASSWORD, consentVersion },
    });
  const { message } = await expectRefusal(register(EARLIER), 400, 'invalid_request');
  expect(message).toBe(ACCOUNT_TEXTS.consentOutdated);
  expect((await register(DOCUMENTS_VERSION)).json()).toMatchObject({
    consentVersion: DOCUMENTS_VERSION,
    transferConsentVersion: null,
  });
});
