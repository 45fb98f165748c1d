// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { queueStart, readQueuedUpload } from '#pwa/lib/upload-queue.ts';
import { getUser, giveConsent, register } from '#shared/contract/account.ts';
import { getGeneration, IDEMPOTENCY_KEY_HEADER, rerollGeneration } from '#shared/contract/generations.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { nameDocumentsVersion } from '#shared/rules/legal-documents.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  closeScreen,
  openScreen,
  readText,
  type Screen,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import {
  GENERATION_ID,
  GENERATIVE_TOOLS,
  PHOTO,
  photoFile,
  sampleGeneration,
  sampleResult,
  USER,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const HERE = nameDocumentsVersion(false);
const ABROAD = nameDocumentsVersion(true);
const MAIN = 'main';
const DIALOG = '[role=dialog]';
const TITLE = 'Нужно ваше согласие';
const SESSION = '/dashboard/photoshoot';
const START = /^Создать фотосессию/;
const GO_ON = 'Согласиться и продолжить';

afterEach(async () => {
  await closeScreen();
  Reflect.deleteProperty(navigator, 'locks');
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

/** The account agreed to `agreed`; the server has `inForce` and takes consents. */
function prepare(server: ContractServer, agreed: string, inForce: string): void {
  const consented = (consentVersion: string) => ({ ...USER, consentVersion });
  server.answer(getUser, consented(agreed));
  server.answer(getToolAbilities, { ...GENERATIVE_TOOLS, documentsVersion: inForce });
  server.answer(uploadPhoto, PHOTO);
  server.answer(getGeneration, sampleGeneration('photosession'));
  server.answer(startPhotosession, { sessionId: GENERATION_ID });
  server.answer(giveConsent, ({ body }) => {
    const user = consented((body as { version: string }).version);
    server.answer(getUser, user);
    return user;
  });
}

async function openWithPhoto(agreed: string, inForce: string): Promise<Screen> {
  const screen = await openScreen(SESSION, { prepare: (server) => prepare(server, agreed, inForce) });
  await screen.choose(photoFile('платье-1200x1600.jpg'));
  await untilShown(PHOTO.name, MAIN);
  return screen;
}

async function agree({ press }: Screen): Promise<void> {
  await press('checkbox', /^Мне есть 18 лет/, DIALOG);
  await press('checkbox', /^Даю согласие/, DIALOG);
  await press('button', /^Согласиться/, DIALOG);
}

const listKeys = ({ server }: Screen) =>
  server.callsOf(startPhotosession).map(({ headers }) => headers.get(IDEMPOTENCY_KEY_HEADER));

test('what has changed is said before the press, and the start goes on by itself after the consent', async () => {
  const screen = await openWithPhoto(HERE, ABROAD);
  const { server, press, find } = screen;
  await untilShown(TITLE, `${MAIN} [role=status]`);
  expect(readText(`${MAIN} [role=status]`)).toContain('передаются за границу');

  await press('button', START);
  await untilShown(TITLE, DIALOG);
  expect(readText(DIALOG)).toContain('Результаты теперь создаёт сервис за границей');
  expect(readText(DIALOG)).not.toContain('Обновились');
  expect(readText(DIALOG)).toContain('в том числе на передачу фото за границу');
  const links = [...document.querySelectorAll(`${DIALOG} a`)].map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/privacy-policy', '/terms-of-service', '/personal-data-consent']);
  // Both boxes are needed, and nothing is started before.
  await press('button', GO_ON, DIALOG);
  await untilShown('Необходимо согласие на обработку персональных данных', DIALOG);
  expect([server.callsOf(giveConsent), server.callsOf(startPhotosession)]).toEqual([[], []]);

  await agree(screen);
  await until(() => expect(listKeys(screen)).toHaveLength(1));
  expect(server.callsOf(giveConsent).map(({ body }) => body)).toEqual([{ version: ABROAD }]);
  await untilGone(TITLE);
  await find('button', 'Отменить', MAIN);
});

test('«Не сейчас» starts nothing and keeps the choice', async () => {
  const { server, press, find } = await openWithPhoto('2020-01-01', HERE);
  await press('button', START);
  await untilShown(TITLE, DIALOG);
  expect(readText(DIALOG)).toContain('Обновились политика конфиденциальности');
  expect(readText(DIALOG)).not.toContain('границ');
  await press('button', 'Не сейчас', DIALOG);
  await until(() => expect(document.querySelector(DIALOG)).toBeNull());
  await untilShown(PHOTO.name, MAIN);
  await find('button', START);
  expect([server.callsOf(giveConsent), server.callsOf(startPhotosession)]).toEqual([[], []]);
});

test('a page that did not know is refused, asks, and repeats the start under the same key', async () => {
  const screen = await openWithPhoto(HERE, HERE);
  const { server, press } = screen;
  expect(readText(MAIN)).not.toContain(TITLE);
  server.answer(getToolAbilities, { ...GENERATIVE_TOOLS, documentsVersion: ABROAD });
  server.refuse(startPhotosession, 'consent_required');
  await press('button', START);
  await untilShown(TITLE, DIALOG);
  expect(readText('.toast')).not.toContain('ошибка');
  server.answer(startPhotosession, { sessionId: GENERATION_ID });
  await agree(screen);
  await until(() => expect(listKeys(screen)).toHaveLength(2));
  const [refused, repeated] = listKeys(screen);
  expect(refused).toMatch(/./);
  expect(repeated).toBe(refused);
});

test('a refusal that nothing explains is told as it is', async () => {
  const { server, press } = await openWithPhoto(HERE, HERE);
  server.refuse(startPhotosession, 'consent_required');
  await press('button', START);
  await untilShown('Генерация не запущена', '.toast');
  expect(document.querySelector(DIALOG)).toBeNull();
});

test('a page with older texts than the server asks for the newest version, not for a consent', async () => {
  const { press } = await openWithPhoto(HERE, '2099-01-01');
  await press('button', START);
  await untilShown('Обновить страницу', DIALOG);
  expect(document.querySelector(`${DIALOG} input`)).toBeNull();
  // A plain reload would be answered by the old worker, with the old texts.
  const waiting = { postMessage: vi.fn() };
  const getRegistration = async () => ({ waiting, installing: null, update: async () => undefined });
  const container = Object.assign(new EventTarget(), { getRegistration });
  Object.defineProperty(navigator, 'serviceWorker', { value: container, configurable: true });
  await press('button', 'Обновить страницу', DIALOG);
  await until(() => expect(waiting.postMessage.mock.calls).toEqual([[{ type: 'SKIP_WAITING' }]]));
});

test('the server may refuse the consent; the dialog says why and stays', async () => {
  const screen = await openWithPhoto(HERE, ABROAD);
  screen.server.refuse(giveConsent, 'invalid_request', { message: 'Документы обновились ещё раз' });
  await screen.press('button', START);
  await agree(screen);
  await untilShown('Документы обновились ещё раз', DIALOG);
  expect(listKeys(screen)).toEqual([]);
});

test('a start that was agreed to without a network is kept until the consent, and then goes on', async () => {
  // The document in memory has none.
  const locks = { request: (...args: unknown[]) => (args.at(-1) as () => Promise<unknown>)() };
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  const start = { slot: 'photosession', price: PHOTOSESSION_PRICE, agreedAt: Date.now() } as const;
  const screen = await openScreen(SESSION, {
    async prepare(server) {
      await queueStart(USER.id, start, { photo: PHOTO });
      prepare(server, HERE, ABROAD);
      server.refuse(startPhotosession, 'consent_required');
    },
  });
  await untilShown(
    'Документы сервиса обновились. Фото и запуск сохранены: согласитесь, и генерация начнётся.',
    '.toast',
  );
  const kept = await readQueuedUpload(USER.id, 'photosession');
  expect(kept).toMatchObject({ start, awaitsConsent: true, failure: null });
  screen.server.answer(startPhotosession, { sessionId: GENERATION_ID });
  await screen.press('button', 'Прочитать и согласиться', MAIN);
  await agree(screen);
  await until(() => expect(listKeys(screen)).toEqual([kept?.id, kept?.id]));
  await screen.find('button', 'Отменить', MAIN);
});

test.each(['known', 'not known'])(
  'a free re-roll asks for the consent too, and goes on; before the press it was %s',
  async (known) => {
    const crops = { sourceUrl: '/crops/source', resultUrl: '/crops/result' };
    const drifted = sampleResult({ garmentCheck: { verdict: 'drifted', drifts: ['print'], crops } });
    const made = { status: 'completed' as const, results: [drifted], reroll: 'offered' as const };
    const screen = await openScreen(`${SESSION}?generation=${GENERATION_ID}`, {
      prepare(server) {
        prepare(server, HERE, known === 'known' ? ABROAD : HERE);
        server.answer(getGeneration, sampleGeneration('photosession', made));
        server.refuse(rerollGeneration, 'consent_required');
      },
    });
    await screen.find('button', 'Переделать бесплатно', MAIN);
    if (known === 'known') await untilShown(TITLE, `${MAIN} [role=status]`);
    screen.server.answer(getToolAbilities, { ...GENERATIVE_TOOLS, documentsVersion: ABROAD });
    await screen.press('button', 'Переделать бесплатно', MAIN);
    await untilShown(TITLE, DIALOG);
    screen.server.answer(rerollGeneration, { generationId: GENERATION_ID });
    await agree(screen);
    const calls = known === 'known' ? 1 : 2;
    await until(() => expect(screen.server.callsOf(rerollGeneration)).toHaveLength(calls));
    expect(screen.server.callsOf(giveConsent)).toHaveLength(1);
  },
);

test('registration names the transfer abroad where it happens, and sends the version that it shows', async () => {
  const { server, fill, press } = await openScreen('/auth?tab=register', {
    user: null,
    prepare(server) {
      server.answer(getToolAbilities, { ...GENERATIVE_TOOLS, documentsVersion: ABROAD });
      server.refuse(register, 'email_taken');
    },
  });
  await until(() => expect(readText('form')).toContain('в том числе на передачу фото за границу'));
  await fill('Email', USER.email);
  await fill('Пароль', 'secret-1');
  await press('checkbox', /^Мне есть 18 лет/);
  await press('checkbox', /^Даю согласие/);
  await press('button', 'Зарегистрироваться');
  await until(() => expect(server.callsOf(register)).toMatchObject([{ body: { consentVersion: ABROAD } }]));
});
