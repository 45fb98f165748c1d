import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getModelChangeStatus } from '#shared/contract/model-changes.ts';
import type { ToolOffer } from '#shared/contract/tools.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { createPayment } from '#tests/support/factories.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

const harness = useToolHarness();
const { balanceOf, call, countTraces, expectRefusal, modelChangeOf, orderOf, readyUser, send, waitForStatus } = harness;

const MODEL = '/attached_assets/woman/w5.webp';
const BACKGROUND = '/backgrounds/concrete.webp';
const URL = '/api/change-model';

interface Choice {
  modelImageUrl?: string;
  backgroundImageUrl?: string;
}

/** Sends the form of a change of model, like a client that does not know the change of background. */
function start(
  user: Pick<TestUser, 'cookie'>,
  { modelImageUrl = MODEL, backgroundImageUrl = BACKGROUND }: Choice = {},
) {
  return send(user, URL, [
    ['userImage', harness.photoPart],
    ['modelImageUrl', modelImageUrl],
    ['backgroundImageUrl', backgroundImageUrl],
  ]);
}

test('a start that expects another result than the tool makes is refused, and a matching one is not', async () => {
  const user = await readyUser();
  const form = (agreedChange: string): Parameters<typeof send>[2] => [
    ['imageId', user.imageId],
    ['modelImageUrl', MODEL],
    ['agreedChange', agreedChange],
  ];
  await expectRefusal(send(user, URL, form('background_change')), 409, 'change_differs');
  await expectRefusal(send(user, URL, form('video')), 400, 'invalid_request');
  expect(await countTraces(user)).toEqual({ photos: 1, generations: 0, holds: 0 });
  expect((await send(user, URL, form('model_change'))).statusCode).toBe(200);
});

test.each(['', '/backgrounds/keep_original.webp'])(
  'the own background is kept for «%s»',
  async (backgroundImageUrl) => {
    const user = await registerVerified(harness.testApp);
    const { request_id: requestId } = (await start(user, { backgroundImageUrl })).json();
    expect((await orderOf('model_change', requestId)).background).toBeNull();
    expect(await modelChangeOf(user, requestId)).toMatchObject({ background_id: 'keep_original' });
  },
);

describe('an engine that replaces nobody', () => {
  beforeEach(() => harness.testApp.engine.setGenerative(false));
  afterEach(() => harness.testApp.engine.setGenerative(true));

  function startWithout(user: Pick<TestUser, 'cookie'>, backgroundImageUrl: string, more: [string, string][] = []) {
    return send(user, URL, [['userImage', harness.photoPart], ['backgroundImageUrl', backgroundImageUrl], ...more]);
  }

  test('changes the background without a model, and names the result so', async () => {
    const user = await registerVerified(harness.testApp);
    const answer = await startWithout(user, BACKGROUND, [['agreedChange', 'background_change']]);
    expect(answer.statusCode).toBe(200);
    const { request_id: requestId } = answer.json();
    expect(await orderOf('model_change', requestId)).toMatchObject({ model: null, background: { id: 'concrete' } });
    harness.letEngineHandIn([0]);
    await waitForStatus(user, requestId, 'completed');
    expect(getModelChangeStatus.answer.parse(await modelChangeOf(user, requestId))).toMatchObject({
      stars_spent: 1,
      model_id: null,
      background_id: 'concrete',
      is_model_replaced: false,
    });
    const { images } = (await call(user, { url: '/api/gallery?type=model_change' })).json();
    expect(images).toMatchObject([{ title: 'photo, Смена фона 1', made: 'background_change' }]);
  });

  test('takes a model of the catalogue all the same, and does not use it', async () => {
    const user = await registerVerified(harness.testApp);
    const { request_id: requestId } = (await start(user)).json();
    expect(await modelChangeOf(user, requestId)).toMatchObject({ model_id: null });
    expect((await orderOf('model_change', requestId)).model).toBeNull();
  });

  test('refuses a model that does not exist, and a start that expects another person', async () => {
    const user = await registerVerified(harness.testApp);
    await expectRefusal(start(user, { modelImageUrl: '/etc/passwd' }), 400, 'catalogue_entry_unknown');
    const promised = startWithout(user, BACKGROUND, [['agreedChange', 'model_change']]);
    await expectRefusal(promised, 409, 'change_differs');
    expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
  });

  test.each(['', '/backgrounds/keep_original.webp'])(
    'sells no photo back unchanged: the kept background «%s» is refused before anything is stored or held',
    async (backgroundImageUrl) => {
      const user = await registerVerified(harness.testApp);
      const refused = await expectRefusal(startWithout(user, backgroundImageUrl), 400, 'background_unchanged');
      expect(refused.message).toContain('Выберите другой фон');
      await expectRefusal(start(user, { backgroundImageUrl }), 400, 'background_unchanged');
      expect(await countTraces(user)).toEqual({ photos: 0, generations: 0, holds: 0 });
      expect(await balanceOf(user)).toBe(2);
    },
  );
});

const SHAPES = {
  videoSeconds: [5, 10],
  aspectRatios: ['3:4', '9:16', '1:1'],
  documentsVersion: DOCUMENTS_VERSION,
  transferVersion: TRANSFER_VERSION,
};

const KINDS = ['model_change', 'video', 'photosession'];

test.each([
  [true, {}, { change: 'model_change', frames: 'poses', mover: 'person', offered: KINDS, ...SHAPES }],
  [false, {}, { change: 'background_change', frames: 'views', mover: 'camera', offered: KINDS, ...SHAPES }],
  [
    true,
    { video: null, model_change: null },
    {
      change: 'background_change',
      frames: 'poses',
      mover: 'camera',
      ...SHAPES,
      offered: ['photosession'],
      videoSeconds: [],
      aspectRatios: [],
    },
  ],
])('anybody may ask what the tools make; generative: %s, but %o', async (isGenerative, lacking, described) => {
  const { engine } = harness.testApp;
  engine.setGenerative(isGenerative);
  Object.assign(engine.abilities, lacking);
  try {
    expect((await call({ cookie: '' }, { url: '/api/tools' })).json()).toEqual(described);
  } finally {
    engine.setGenerative(true);
  }
});

test('what can be started is said by tool, and the end of the free runs only to those whom it concerns', async () => {
  const { app, engine } = harness.testApp;
  Object.assign(engine, { photosTravel: 'abroad' });
  Object.assign(engine.abilities, { model_change: null });
  Object.assign(app.config, { engineFreeRuns: 0 });
  const outage = { engine: 'fake', kind: 'video', cause: 'failing', detail: 'errors' } as const;
  await app.db.engineOutage.create({ data: { ...outage, retryAt: new Date(Date.now() + 60_000) } });
  try {
    const ask = async (cookie: string) => {
      const { tools } = (await call({ cookie }, { url: '/api/tools/offer' })).json<ToolOffer>();
      return tools.map(({ kind, obstacle, photosTravel }) => [kind, obstacle?.code ?? null, photosTravel]);
    };
    expect(await ask('')).toEqual([
      ['model_change', 'tool_not_offered', 'nowhere'],
      ['video', 'engine_failing', 'abroad'],
      ['try_on', 'tool_not_offered', 'nowhere'],
      ['photosession', null, 'abroad'],
    ]);
    const user = await registerVerified(harness.testApp);
    expect(await ask(user.cookie)).toContainEqual(['photosession', 'engine_free_runs_reached', 'abroad']);
    await createPayment(app.db, user.account.id);
    expect(await ask(user.cookie)).toContainEqual(['photosession', null, 'abroad']);
  } finally {
    Object.assign(engine, { photosTravel: 'nowhere' });
    engine.setGenerative(true);
    Object.assign(app.config, { engineFreeRuns: null });
    await app.db.engineOutage.deleteMany();
  }
});
