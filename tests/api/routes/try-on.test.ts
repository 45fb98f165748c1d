import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { getToolAbilities, getToolOffer } from '#shared/contract/tools.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { asUpload, createPayment } from '#tests/support/factories.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser, uploadPhoto } from '#tests/support/users.ts';

const harness = useToolHarness();
const { balanceOf, call, countTraces, expectRefusal, orderOf, viewOf, waitForStatus } = harness;
const URL = '/api/try-on';

beforeAll(() => {
  harness.testApp.engine.abilities.try_on = true;
});

type Fitting = TestUser & { garmentId: string; personId: string };

/** A person with the photo of a garment, 301 px wide, and one of somebody else, 302 px wide. */
async function newFitting(): Promise<Fitting> {
  const user = await registerVerified(harness.testApp);
  return { ...user, garmentId: await upload(user, 301), personId: await upload(user, 302) };
}

async function upload(user: TestUser, width: number): Promise<string> {
  return (await uploadPhoto(harness.testApp, user, await drawJpeg(width, 400))).json().id;
}

function start(fitting: Fitting, choice: object = {}, headers = {}) {
  const payload = { garmentImageId: fitting.garmentId, personImageId: fitting.personId, ...choice };
  return call(fitting, { method: 'POST', url: URL, payload, headers });
}

async function startOne(fitting: Fitting, choice: object = {}): Promise<string> {
  const answer = await start(fitting, choice);
  expect(answer.statusCode).toBe(200);
  return answer.json().generationId;
}

test('a try-on costs a star and becomes one picture that is named after the garment', async () => {
  const fitting = await newFitting();
  const id = await startOne(fitting, { category: 'tops' });
  expect(await balanceOf(fitting)).toBe(1);
  expect(await viewOf(fitting, id)).toMatchObject({
    kind: 'try_on',
    made: 'try_on',
    settings: { category: 'tops' },
    starsSpent: 1,
    results: [],
    photos: [{ id: fitting.garmentId }, { id: fitting.personId }],
  });
  const active = (await call(fitting, { url: '/api/active-generations' })).json().activeGenerations;
  expect(active).toMatchObject([{ id, kind: 'try_on', settings: {}, photo: { id: fitting.garmentId } }]);

  harness.letEngineHandIn([0]);
  await waitForStatus(fitting, id, 'completed');
  const { results, starsSpent } = await viewOf(fitting, id);
  expect(results).toMatchObject([{ position: 0, url: `/media/results/${id}/0/image`, isWatermarked: true }]);
  expect(starsSpent).toBe(1);
  const { images } = (await call(fitting, { url: '/api/gallery?type=try_on' })).json();
  expect(images).toMatchObject([{ generationId: id, generationType: 'try_on', made: 'try_on' }]);
  expect(images[0].title).toBe('photo, Примерка 1');
  for (const type of ['model_change', 'photo_generation']) {
    expect((await call(fitting, { url: `/api/gallery?type=${type}` })).json().images).toEqual([]);
  }
  const { entries } = (await call(fitting, { url: '/api/stars/history' })).json();
  expect(entries[0]).toMatchObject({ generation: { id, kind: 'try_on', made: 'try_on' } });
});

test('the engine gets the garment and the person by their roles, and what the garment is', async () => {
  const fitting = await newFitting();
  const order = await orderOf('try_on', await startOne(fitting, { category: 'one-pieces' }));
  expect(order).toMatchObject({ category: 'one-pieces', positions: [0] });
  const widthOf = async (open: () => Promise<NodeJS.ReadableStream>) => {
    return (await sharp(await buffer(await open())).metadata()).width;
  };
  expect(await widthOf(order.photos.subject)).toBe(301);
  expect(await widthOf(order.photos.person)).toBe(302);
});

test('without a word about the garment the engine sees for itself', async () => {
  const fitting = await newFitting();
  expect((await orderOf('try_on', await startOne(fitting))).category).toBe('auto');
});

test('a repeat with the same key is the same try-on, and photos that have changed places are another one', async () => {
  const fitting = await newFitting();
  const headers = { 'idempotency-key': 'click-1' };
  const first = (await start(fitting, {}, headers)).json();
  expect((await start(fitting, {}, headers)).json()).toEqual(first);
  const swapped = { ...fitting, garmentId: fitting.personId, personId: fitting.garmentId };
  await expectRefusal(start(swapped, {}, headers), 409, 'idempotency_key_reused');
  expect(await countTraces(fitting)).toEqual({ photos: 2, generations: 1, holds: 1 });
});

describe('a start is refused', () => {
  test('without both photos and a known kind of garment', async () => {
    const fitting = await newFitting();
    await expectRefusal(start(fitting, { personImageId: '' }), 400, 'invalid_request');
    await expectRefusal(start(fitting, { garmentImageId: 'nonsense' }), 404, 'photo_not_found');
    await expectRefusal(start(fitting, { category: 'hats' }), 400, 'invalid_request');
    expect(await countTraces(fitting)).toMatchObject({ generations: 0, holds: 0 });
  });

  test.each(['garmentId', 'personId'] as const)('when the file of a photo is lost (%s)', async (role) => {
    const fitting = await newFitting();
    const { app } = harness.testApp;
    const { masterKey } = asUpload(await app.db.photo.findUniqueOrThrow({ where: { id: fitting[role] } }));
    await app.storage.remove(masterKey);
    await expectRefusal(start(fitting), 410, 'file_lost');
    expect(await countTraces(fitting)).toMatchObject({ generations: 0, holds: 0 });
  });

  test('with one photo in both places', async () => {
    const fitting = await newFitting();
    const refused = await expectRefusal(start(fitting, { personImageId: fitting.garmentId }), 400, 'invalid_request');
    expect(refused.fields).toEqual({ personImageId: 'Вещь и человек должны быть на разных фото' });
    expect(await balanceOf(fitting)).toBe(2);
  });

  test('where the engine tries nothing on: then the tool is not offered either', async () => {
    const fitting = await newFitting();
    const read = async () => ({
      abilities: getToolAbilities.answer.parse((await call(fitting, { url: '/api/tools' })).json()).offered,
      offer: getToolOffer.answer
        .parse((await call(fitting, { url: '/api/tools/offer' })).json())
        .tools.find(({ kind }) => kind === 'try_on')?.isOffered,
    });
    const usual = ['model_change', 'video', 'photosession'];
    expect(await read()).toEqual({ abilities: ['model_change', 'video', 'try_on', 'photosession'], offer: true });
    harness.testApp.engine.abilities.try_on = null;
    try {
      expect(await read()).toEqual({ abilities: usual, offer: false });
      await expectRefusal(start(fitting), 404, 'tool_not_offered');
      expect(await countTraces(fitting)).toMatchObject({ generations: 0, holds: 0 });
    } finally {
      harness.testApp.engine.abilities.try_on = true;
    }
  });
});

test('an owner who has paid downloads the original', async () => {
  const fitting = await newFitting();
  await createPayment(harness.testApp.app.db, fitting.account.id);
  const id = await startOne(fitting);
  harness.letEngineHandIn([0]);
  await waitForStatus(fitting, id, 'completed');
  const { images } = (await call(fitting, { url: '/api/gallery' })).json();
  const download = await call(fitting, {
    method: 'POST',
    url: '/api/download-image',
    payload: { imageId: images[0].id },
  });
  expect(download.statusCode).toBe(200);
  expect(decodeURIComponent(String(download.headers['content-disposition']))).toMatch(/photo_Примерка/);
});
