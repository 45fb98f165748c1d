import { afterEach, beforeAll, expect, test } from 'vitest';
import { ACCOUNT_TEXTS, user } from '#shared/contract/account.ts';
import { toolAbilities } from '#shared/contract/tools.ts';
import { nameDocumentsVersion } from '#shared/rules/legal-documents.ts';
import { createFinding, createGeneration, createImageResult, createStoredPhoto } from '#tests/support/factories.ts';
import { newEmail, nextAddress, PASSWORD, type Person } from '#tests/support/people.ts';
import { useToolStudio } from '#tests/support/tool-studio.ts';

const HERE = nameDocumentsVersion(false);
const ABROAD = nameDocumentsVersion(true);
const EARLIER = '2020-01-01';

const studio = useToolStudio();
const { balanceOf, call, countTraces, expectRefusal, readyPerson, send } = studio;
type Ready = Person & { imageId: string };

beforeAll(() => {
  studio.testApp.engine.abilities.try_on = true;
});
afterEach(() => switchEngine('nowhere'));

function switchEngine(photosTravel: 'nowhere' | 'operator' | 'abroad'): void {
  Object.assign(studio.testApp.engine, { photosTravel });
}

const consentTo = (person: Person, version: unknown) =>
  call(person, { method: 'POST', url: '/api/account/consent', payload: { version } });
const readAccount = ({ account: { id } }: Person) => studio.testApp.app.db.account.findUniqueOrThrow({ where: { id } });
const readUser = async (person: Person) => user.parse((await call(person, { url: '/api/auth/user' })).json());

/** A person with a photo whose consent to this version is stored. */
async function consented(version: string | null): Promise<Ready> {
  const person = await readyPerson();
  const consent = { consentVersion: version, consentAt: version === null ? null : new Date(0) };
  await studio.testApp.app.db.account.update({ where: { id: person.account.id }, data: consent });
  return person;
}

type Start = (person: Ready, headers: Record<string, string>) => ReturnType<typeof send>;
const STARTS: [tool: string, photos: number, start: Start][] = [
  ['a video', 1, (person, headers) => studio.start(person, person.imageId, {}, headers)],
  [
    'a change of model',
    1,
    (person, headers) =>
      send(
        person,
        '/api/change-model',
        [
          ['imageId', person.imageId],
          ['modelImageUrl', '/attached_assets/woman/w5.webp'],
        ],
        headers,
      ),
  ],
  [
    'a photo session',
    1,
    (person, headers) => send(person, '/api/photosession', [['imageId', person.imageId]], headers),
  ],
  [
    'a try-on',
    2,
    async (person, headers) => {
      const wearer = await createStoredPhoto(studio.testApp.app, person.account.id);
      const payload = { garmentImageId: person.imageId, personImageId: wearer.id };
      return call(person, { method: 'POST', url: '/api/try-on', payload, headers });
    },
  ],
];

test.each(STARTS)(
  '%s is refused until the changed documents are agreed to, and then starts under the same key',
  async (_, photos, start) => {
    const person = await consented(EARLIER);
    await expectRefusal(start(person, { 'idempotency-key': 'same' }), 403, 'consent_required');
    expect(await countTraces(person)).toEqual({ photos, generations: 0, holds: 0 });
    expect(await balanceOf(person)).toBe(2);

    expect((await consentTo(person, HERE)).statusCode).toBe(200);
    expect((await start(person, { 'idempotency-key': 'same' })).statusCode).toBe(200);
    expect(await countTraces(person)).toMatchObject({ generations: 1, holds: 1 });
  },
);

test('a free re-roll asks for the consent too', async () => {
  const { app } = studio.testApp;
  const person = await consented(EARLIER);
  const photo = await createStoredPhoto(app, person.account.id);
  const id = await createGeneration(app, person.account.id, 'photosession', 'completed', photo);
  const frame = { generationId: id, position: 0, width: 60, height: 80 };
  await createFinding(app, await createImageResult(app, person.account.id, frame), 'drifted');
  const reroll = () => call(person, { method: 'POST', url: `/api/generations/${id}/reroll` });
  await expectRefusal(reroll(), 403, 'consent_required');
  await consentTo(person, HERE);
  expect((await reroll()).statusCode).toBe(200);
});

test('a photo that comes with a refused start is not kept', async () => {
  const person = await consented(EARLIER);
  await expectRefusal(send(person, '/api/photosession', [['image', studio.photoPart]]), 403, 'consent_required');
  expect(await countTraces(person)).toEqual({ photos: 1, generations: 0, holds: 0 });
});

test('an engine abroad asks everybody again, and switching back asks nobody', async () => {
  const start = (person: Ready, key: string) => studio.start(person, person.imageId, {}, { 'idempotency-key': key });
  const codeOf = async (person: Ready, key: string) => {
    const response = await start(person, key);
    const { generationId, code } = response.json();
    if (generationId) await call(person, { method: 'POST', url: `/api/generations/${generationId}/cancel` });
    return response.statusCode === 200 ? 'started' : code;
  };
  const [anna, boris, silent] = [await consented(HERE), await consented(HERE), await consented(null)];
  switchEngine('operator');
  expect(await codeOf(anna, '1')).toBe('started');
  switchEngine('abroad');
  expect([await codeOf(anna, '2'), await codeOf(boris, '2')]).toEqual(['consent_required', 'consent_required']);
  expect(await codeOf(silent, '2')).toBe('started');
  // What was started before is answered as before.
  expect((await start(anna, '1')).statusCode).toBe(200);
  await consentTo(anna, ABROAD);
  expect([await codeOf(anna, '3'), await codeOf(boris, '3')]).toEqual(['started', 'consent_required']);
  switchEngine('nowhere');
  expect([await codeOf(anna, '4'), await codeOf(boris, '4')]).toEqual(['started', 'started']);
  // Nor is anna asked when it comes back.
  switchEngine('abroad');
  expect(await codeOf(anna, '5')).toBe('started');
});

test('everybody is told which version is in force, and the account which one it agreed to', async () => {
  const person = await consented(EARLIER);
  const readVersion = async () =>
    toolAbilities.parse((await call({ cookie: '' }, { url: '/api/tools' })).json()).documentsVersion;
  expect([await readVersion(), (await readUser(person)).consentVersion]).toEqual([HERE, EARLIER]);
  switchEngine('abroad');
  expect(await readVersion()).toBe(ABROAD);
  const answer = user.parse((await consentTo(person, ABROAD)).json());
  expect(answer).toEqual(await readUser(person));
  expect(answer.consentVersion).toBe(ABROAD);
});

test('a consent is kept with its time; only the version in force is taken, and a repeat changes nothing', async () => {
  const person = await consented(EARLIER);
  for (const version of [EARLIER, ABROAD, '', 'x'.repeat(1000), null, 1, undefined]) {
    const { message } = await expectRefusal(consentTo(person, version), 400, 'invalid_request');
    expect(message).toBe(ACCOUNT_TEXTS.newConsentOutdated);
  }
  expect(await readAccount(person)).toMatchObject({ consentVersion: EARLIER, consentAt: new Date(0) });

  await consentTo(person, HERE);
  const { consentVersion, consentAt } = await readAccount(person);
  expect(consentVersion).toBe(HERE);
  expect(Date.now() - (consentAt?.getTime() ?? 0)).toBeLessThan(60_000);
  await consentTo(person, HERE);
  expect(await readAccount(person)).toMatchObject({ consentVersion, consentAt });
  await expectRefusal(consentTo({ ...person, cookie: '' }, HERE), 401, 'unauthorized');
});

test('a consent to the wider text is not narrowed by a repeat after the switch back', async () => {
  const person = await consented(ABROAD);
  expect((await consentTo(person, HERE)).json().consentVersion).toBe(ABROAD);
});

test('who registers agrees to the version in force, wherever photos go', async () => {
  switchEngine('abroad');
  const register = (consentVersion: string) =>
    studio.testApp.server.inject({
      method: 'POST',
      url: '/api/register',
      remoteAddress: nextAddress(),
      payload: { email: newEmail(), password: PASSWORD, consentVersion },
    });
  const { message } = await expectRefusal(register(HERE), 400, 'invalid_request');
  expect(message).toBe(ACCOUNT_TEXTS.consentOutdated);
  expect((await register(ABROAD)).json().consentVersion).toBe(ABROAD);
});
