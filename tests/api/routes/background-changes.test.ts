import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getModelChangeStatus } from '#shared/contract/model-changes.ts';
import type { ToolOffer } from '#shared/contract/tools.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { createPayment } from '#tests/support/factories.ts';
import { type Person, registerVerified } from '#tests/support/people.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';

const harness = useToolHarness();
const { balanceOf, call, countTraces, expectRefusal, modelChangeOf, orderOf, readyPerson, send, waitForStatus } =
  harness;

const MODEL = '/attached_assets/woman/w5.webp';
const BACKGROUND = '/backgrounds/concrete.webp';
const URL = '/api/change-model';

interface Choice {
  modelImageUrl?: string;
  backgroundImageUrl?: string;
}

/** Sends the form of a change of model, like a client that does not know the change of background. */
function start(
  person: Pick<Person, 'cookie'>,
  { modelImageUrl = MODEL, backgroundImageUrl = BACKGROUND }: Choice = {},
) {
  return send(person, URL, [
    ['userImage', harness.photoPart],
    ['modelImageUrl', modelImageUrl],
    ['backgroundImageUrl', backgroundImageUrl],
  ]);
}

test('a start that expects another result than the tool makes is refused, and a matching one is not', async () => {
  const person = await readyPerson();
  const form = (agreedChange: string): Parameters<typeof send>[2] => [
    ['imageId', person.imageId],
    ['modelImageUrl', MODEL],
    ['agreedChange', agreedChange],
  ];
  await expectRefusal(send(person, URL, form('background_change')), 409, 'change_differs');
  await expectRefusal(send(person, URL, form('video')), 400, 'invalid_request');
  expect(await countTraces(person)).toEqual({ photos: 1, generations: 0, holds: 0 });
  expect((await send(person, URL, form('model_change'))).statusCode).toBe(200);
});

test.each(['', '/backgrounds/keep_original.webp'])(
  'the own background is kept for «%s»',
  async (backgroundImageUrl) => {
    const person = await registerVerified(harness.testApp);
    const { request_id: requestId } = (await start(person, { backgroundImageUrl })).json();
    expect((await orderOf('model_change', requestId)).background).toBeNull();
    expect(await modelChangeOf(person, requestId)).toMatchObject({ background_id: 'keep_original' });
  },
);

describe('an engine that replaces nobody', () => {
  beforeEach(() => harness.testApp.engine.setGenerative(false));
  afterEach(() => harness.testApp.engine.setGenerative(true));

  function startWithout(person: Pick<Person, 'cookie'>, backgroundImageUrl: string, more: [string, string][] = []) {
    return send(person, URL, [['userImage', harness.photoPart], ['backgroundImageUrl', backgroundImageUrl], ...more]);
  }

  test('changes the background without a model, and names the result so', async () => {
    const person = await registerVerified(harness.testApp);
    const answer = await startWithout(person, BACKGROUND, [['agreedChange', 'background_change']]);
    expect(answer.statusCode).toBe(200);
    const { request_id: requestId } = answer.json();
    expect(await orderOf('model_change', requestId)).toMatchObject({ model: null, background: { id: 'concrete' } });
    harness.letEngineHandIn([0]);
    await waitForStatus(person, requestId, 'completed');
    expect(getModelChangeStatus.answer.parse(await modelChangeOf(person, requestId))).toMatchObject({
      stars_spent: 1,
      model_id: null,
      background_id: 'concrete',
      is_model_replaced: false,
    });
    const { images } = (await call(person, { url: '/api/gallery?type=model_change' })).json();
    expect(images).toMatchObject([{ title: expect.stringMatching(/^photo_Смена-фона_/), made: 'background_change' }]);
  });

  test('takes a model of the catalogue all the same, and does not use it', async () => {
    const person = await registerVerified(harness.testApp);
    const { request_id: requestId } = (await start(person)).json();
    expect(await modelChangeOf(person, requestId)).toMatchObject({ model_id: null });
    expect((await orderOf('model_change', requestId)).model).toBeNull();
  });

  test('refuses a model that does not exist, and a start that expects another person', async () => {
    const person = await registerVerified(harness.testApp);
    await expectRefusal(start(person, { modelImageUrl: '/etc/passwd' }), 400, 'catalogue_entry_unknown');
    const promised = startWithout(person, BACKGROUND, [['agreedChange', 'model_change']]);
    await expectRefusal(promised, 409, 'change_differs');
    expect(await countTraces(person)).toEqual({ photos: 0, generations: 0, holds: 0 });
  });

  test.each(['', '/backgrounds/keep_original.webp'])(
    'sells no photo back unchanged: the kept background «%s» is refused before anything is stored or held',
    async (backgroundImageUrl) => {
      const person = await registerVerified(harness.testApp);
      const refused = await expectRefusal(startWithout(person, backgroundImageUrl), 400, 'background_unchanged');
      expect(refused.message).toContain('Выберите другой фон');
      await expectRefusal(start(person, { backgroundImageUrl }), 400, 'background_unchanged');
      expect(await countTraces(person)).toEqual({ photos: 0, generations: 0, holds: 0 });
      expect(await balanceOf(person)).toBe(2);
    },
  );
});

const SHAPES = {
  videoSeconds: [5, 10],
  aspectRatios: ['3:4', '9:16', '1:1'],
  documentsVersion: DOCUMENTS_VERSION,
  transferVersion: TRANSFER_VERSION,
};

const KINDS = ['video', 'model_change', 'photosession'];

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
      ['video', 'engine_failing', 'abroad'],
      ['model_change', 'tool_not_offered', 'nowhere'],
      ['photosession', null, 'abroad'],
      ['try_on', 'tool_not_offered', 'nowhere'],
    ]);
    const person = await registerVerified(harness.testApp);
    expect(await ask(person.cookie)).toContainEqual(['photosession', 'engine_free_runs_reached', 'abroad']);
    await createPayment(app.db, person.account.id);
    expect(await ask(person.cookie)).toContainEqual(['photosession', null, 'abroad']);
  } finally {
    Object.assign(engine, { photosTravel: 'nowhere' });
    engine.setGenerative(true);
    Object.assign(app.config, { engineFreeRuns: null });
    await app.db.engineOutage.deleteMany();
  }
});
