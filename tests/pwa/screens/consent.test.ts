// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { queueFile, queueStart, readQueuedUpload } from '#pwa/features/uploads/upload-queue.ts';
import {
  getUser,
  giveConsent,
  listConsents,
  register,
  type User,
  withdrawTransferConsent,
} from '#shared/contract/account.ts';
import { getGeneration, IDEMPOTENCY_KEY_HEADER, rerollGeneration } from '#shared/contract/generations.ts';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { getToolAbilities, getToolOffer, type ToolOffer } from '#shared/contract/tools.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { type ConsentKind, DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import {
  closeScreen,
  openScreen,
  readText,
  type Screen,
  untilDialogGone,
  untilGone,
  untilShown,
} from '#tests/pwa/support/open-screen.tsx';
import { openSettings } from '#tests/pwa/support/open-settings.ts';
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

const EARLIER = '2020-01-01';
const MAIN = 'main';
const DIALOG = '[role=dialog]';
const TITLE = 'Нужно ваше согласие';
const SESSION = '/dashboard/photoshoot';
const START = /^Создать фотосессию/;
const GO_ON = 'Согласиться и продолжить';

afterEach(async () => {
  await closeScreen();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

interface Known {
  /** The documents that the account agreed to. */
  agreed: string | null;
  /** The documents in force. */
  inForce?: string;
  /** Whether the tools take photos abroad. */
  isAbroad?: boolean;
}

/** The server says what is known and takes consents. */
function prepare(server: ContractServer, { agreed, inForce = DOCUMENTS_VERSION, isAbroad = false }: Known): void {
  let user: User = { ...USER, consentVersion: agreed };
  server.answer(getUser, user);
  server.answer(getToolAbilities, { ...GENERATIVE_TOOLS, documentsVersion: inForce });
  server.answer(getToolOffer, offerOf(isAbroad));
  server.answer(uploadPhoto, PHOTO);
  server.answer(getGeneration, sampleGeneration('photosession'));
  server.answer(startPhotosession, { sessionId: GENERATION_ID });
  server.answer(giveConsent, ({ body }) => {
    const { kind, version } = body as { kind: ConsentKind; version: string };
    user = { ...user, [kind === 'documents' ? 'consentVersion' : 'transferConsentVersion']: version };
    server.answer(getUser, user);
    return user;
  });
}

function offerOf(isAbroad: boolean): ToolOffer {
  const photosTravel = isAbroad ? ('abroad' as const) : ('nowhere' as const);
  const tool = { isOffered: true, obstacle: null, photosTravel, isDemonstration: false };
  return { photosTravel, tools: GENERATION_KINDS.map((kind) => ({ kind, ...tool })) };
}

async function openWithPhoto(known: Known): Promise<Screen> {
  const screen = await openScreen(SESSION, { prepare: (server) => prepare(server, known) });
  await screen.choosePhoto();
  return screen;
}

const listConsented = ({ server }: Screen) => server.callsOf(giveConsent).map(({ body }) => body);
const TO_DOCUMENTS = { kind: 'documents', version: DOCUMENTS_VERSION };
const TO_TRANSFER = { kind: 'transfer', version: TRANSFER_VERSION };

async function agree({ press }: Screen): Promise<void> {
  await press('checkbox', /^Мне есть 18 лет/, DIALOG);
  await press('checkbox', /^Даю согласие/, DIALOG);
  await press('button', /^Согласиться/, DIALOG);
}

const listKeys = ({ server }: Screen) =>
  server.callsOf(startPhotosession).map(({ headers }) => headers.get(IDEMPOTENCY_KEY_HEADER));

test('the transfer abroad is said before the press, asked for alone, and the start goes on by itself', async () => {
  const screen = await openWithPhoto({ agreed: DOCUMENTS_VERSION, isAbroad: true });
  const { server, press, find } = screen;
  await untilShown(TITLE, `${MAIN} [role=status]`);
  expect(readText(`${MAIN} [role=status]`)).toContain('передаёт фото за границу');

  await press('button', START);
  await untilShown(TITLE, DIALOG);
  expect(readText(DIALOG)).toContain('создаёт сервис за границей');
  expect(readText(DIALOG)).not.toContain('Обновились');
  const links = [...document.querySelectorAll(`${DIALOG} a`)].map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/photo-transfer-consent']);
  // The box is needed, and nothing is started before.
  await press('button', GO_ON, DIALOG);
  await untilShown('Необходимо согласие на передачу фото за границу', DIALOG);
  expect([listConsented(screen), server.callsOf(startPhotosession)]).toEqual([[], []]);

  await press('checkbox', /^Согласен на передачу/, DIALOG);
  await press('button', GO_ON, DIALOG);
  await until(() => expect(listKeys(screen)).toHaveLength(1));
  expect(listConsented(screen)).toEqual([TO_TRANSFER]);
  await untilGone(TITLE);
  await find('button', 'Отменить', MAIN);
});

test('«Не сейчас» starts nothing and keeps the choice', async () => {
  const screen = await openWithPhoto({ agreed: DOCUMENTS_VERSION, isAbroad: true });
  const { server, press, find } = screen;
  await press('button', START);
  await untilShown(TITLE, DIALOG);
  await press('button', 'Не сейчас', DIALOG);
  await untilDialogGone();
  await untilShown(PHOTO.name, MAIN);
  await find('button', START);
  expect([listConsented(screen), server.callsOf(startPhotosession)]).toEqual([[], []]);
});

test.each([
  ['has never agreed', null],
  ['agreed to former documents', EARLIER],
])('a photo of a person who %s waits for the consent, and then goes on', async (_who, agreed) => {
  const screen = await openScreen(SESSION, { prepare: (server) => prepare(server, { agreed, isAbroad: true }) });
  const { server, choose, press } = screen;
  await untilShown(TITLE, `${MAIN} [role=status]`);
  await choose(photoFile('платье-1200x1600.jpg'));
  await untilShown(TITLE, DIALOG);
  expect(readText(DIALOG).includes('Обновились политика конфиденциальности')).toBe(agreed !== null);
  // No photo goes abroad yet, so the second consent is not asked for.
  expect(readText(DIALOG)).not.toContain('границ');
  expect(server.callsOf(uploadPhoto)).toEqual([]);
  await press('button', 'Не сейчас', DIALOG);
  await untilDialogGone();
  expect(server.callsOf(uploadPhoto)).toEqual([]);

  await choose(photoFile('платье-1200x1600.jpg'));
  await untilShown(TITLE, DIALOG);
  await agree(screen);
  await untilShown(PHOTO.name, MAIN);
  expect(listConsented(screen)).toEqual([TO_DOCUMENTS]);
});

test('a photo that the server refuses for want of a consent is asked for, and then sent again', async () => {
  const screen = await openScreen(SESSION, {
    prepare: (server) => prepare(server, { agreed: DOCUMENTS_VERSION }),
  });
  screen.server.refuse(uploadPhoto, 'consent_required');
  // Whenever the page asks who is signed in, it learns of the lacking consent only after the refusal.
  const isKnown = () => screen.server.callsOf(uploadPhoto).length > 0;
  screen.server.answer(getUser, () => ({ ...USER, consentVersion: isKnown() ? null : DOCUMENTS_VERSION }));
  await screen.choose(photoFile('платье-1200x1600.jpg'));
  await untilShown(TITLE, DIALOG);
  screen.server.answer(uploadPhoto, PHOTO);
  await agree(screen);
  await until(() => expect(screen.server.callsOf(uploadPhoto)).toHaveLength(2));
  await untilShown(PHOTO.name, MAIN);
});

test('a page that did not know is refused, asks, and repeats the start under the same key', async () => {
  const screen = await openWithPhoto({ agreed: DOCUMENTS_VERSION });
  const { server, press } = screen;
  expect(readText(MAIN)).not.toContain(TITLE);
  server.refuse(startPhotosession, 'transfer_consent_required');
  await press('button', START);
  await untilShown(TITLE, DIALOG);
  expect(readText('.toast')).not.toContain('ошибка');
  server.answer(startPhotosession, { sessionId: GENERATION_ID });
  await press('checkbox', /^Согласен на передачу/, DIALOG);
  await press('button', GO_ON, DIALOG);
  await until(() => expect(listKeys(screen)).toHaveLength(2));
  const [refused, repeated] = listKeys(screen);
  expect(refused).toMatch(/./);
  expect(repeated).toBe(refused);
});

test('a refusal that nothing explains is told as it is', async () => {
  const { server, press } = await openWithPhoto({ agreed: DOCUMENTS_VERSION });
  server.refuse(startPhotosession, 'consent_required');
  await press('button', START);
  await untilShown('Генерация не запущена', '.toast');
  expect(document.querySelector(DIALOG)).toBeNull();
});

test('a page with older texts than the server asks for the newest version, not for a consent', async () => {
  const { press } = await openScreen(SESSION, {
    prepare: (server) => prepare(server, { agreed: DOCUMENTS_VERSION, inForce: '2099-01-01' }),
  });
  await press('button', 'Прочитать и согласиться', MAIN);
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
  const screen = await openWithPhoto({ agreed: DOCUMENTS_VERSION, isAbroad: true });
  screen.server.refuse(giveConsent, 'invalid_request', { message: 'Документы обновились ещё раз' });
  await screen.press('button', START);
  await screen.press('checkbox', /^Согласен на передачу/, DIALOG);
  await screen.press('button', GO_ON, DIALOG);
  await untilShown('Документы обновились ещё раз', DIALOG);
  expect(listKeys(screen)).toEqual([]);
});

test('a start that was agreed to without a network is kept until the consent, and then goes on', async () => {
  const start = { slot: 'photosession', price: PHOTOSESSION_PRICE, agreedAt: Date.now() } as const;
  const screen = await openScreen(SESSION, {
    async prepare(server) {
      await queueStart(USER.id, start, { photo: PHOTO });
      prepare(server, { agreed: EARLIER });
      server.refuse(startPhotosession, 'consent_required');
    },
  });
  await untilShown('Фото и запуск сохранены: прочитайте документы и согласитесь, и генерация начнётся.', '.toast');
  const kept = await readQueuedUpload(USER.id, 'photosession');
  expect(kept).toMatchObject({ start, awaitsConsent: true, failure: null });
  screen.server.answer(startPhotosession, { sessionId: GENERATION_ID });
  await screen.press('button', 'Прочитать и согласиться', MAIN);
  await agree(screen);
  await until(() => expect(listKeys(screen)).toEqual([kept?.id, kept?.id]));
  await screen.find('button', 'Отменить', MAIN);
});

test('a kept photo whose consent was given on another device is sent at the press, without a question', async () => {
  const screen = await openScreen(SESSION, {
    async prepare(server) {
      await queueFile(USER.id, 'photosession', photoFile('платье-1200x1600.jpg'));
      prepare(server, { agreed: EARLIER });
      server.refuse(uploadPhoto, 'consent_required');
    },
  });
  await screen.find('button', 'Прочитать документы', MAIN);
  prepare(screen.server, { agreed: DOCUMENTS_VERSION });
  await screen.reload();
  await untilGone(TITLE, MAIN);
  await screen.press('button', 'Прочитать документы', MAIN);
  await untilShown(PHOTO.name, MAIN);
  expect(document.querySelector(DIALOG)).toBeNull();
  expect(listConsented(screen)).toEqual([]);
});

test.each(['known', 'not known'])(
  'a free re-roll asks for the consent too, and goes on; before the press it was %s',
  async (known) => {
    const crops = { sourceUrl: '/crops/source', resultUrl: '/crops/result' };
    const drifted = sampleResult({ garmentCheck: { verdict: 'drifted', drifts: ['print'], crops } });
    const made = { status: 'completed' as const, results: [drifted], reroll: 'offered' as const };
    const screen = await openScreen(`${SESSION}?generation=${GENERATION_ID}`, {
      prepare(server) {
        prepare(server, { agreed: known === 'known' ? EARLIER : DOCUMENTS_VERSION });
        server.answer(getGeneration, sampleGeneration('photosession', made));
        server.refuse(rerollGeneration, 'consent_required');
      },
    });
    await screen.find('button', 'Переделать бесплатно', MAIN);
    if (known === 'known') await untilShown(TITLE, `${MAIN} [role=status]`);
    screen.server.answer(getUser, { ...USER, consentVersion: EARLIER });
    await screen.press('button', 'Переделать бесплатно', MAIN);
    await untilShown(TITLE, DIALOG);
    screen.server.answer(rerollGeneration, { generationId: GENERATION_ID });
    await agree(screen);
    const calls = known === 'known' ? 1 : 2;
    await until(() => expect(screen.server.callsOf(rerollGeneration)).toHaveLength(calls));
    expect(screen.server.callsOf(giveConsent)).toHaveLength(1);
  },
);

test('registration asks for the documents alone, and sends the version that it shows', async () => {
  const { server, fill, press } = await openScreen('/auth?tab=register', {
    user: null,
    prepare(server) {
      server.answer(getToolAbilities, GENERATIVE_TOOLS);
      server.answer(getToolOffer, offerOf(true));
      server.refuse(register, 'email_taken');
    },
  });
  await fill('Email', USER.email);
  await fill('Пароль', 'secret-1');
  await press('checkbox', /^Мне есть 18 лет/);
  await press('checkbox', /^Даю согласие/);
  expect(readText('form')).not.toContain('границ');
  await press('button', 'Зарегистрироваться');
  await until(() => expect(server.callsOf(register)).toMatchObject([{ body: { consentVersion: DOCUMENTS_VERSION } }]));
});

test('settings show both consents, and the one to the transfer is withdrawn there', async () => {
  const agreed = { ...USER, transferConsentVersion: TRANSFER_VERSION };
  const at = '2026-11-27T09:00:00.000Z';
  const documents = { inForce: DOCUMENTS_VERSION, agreed: { version: DOCUMENTS_VERSION, at } };
  const transfer = { inForce: TRANSFER_VERSION, isNeeded: true };
  const { server, press, find } = await openSettings((server) => {
    prepare(server, { agreed: DOCUMENTS_VERSION, isAbroad: true });
    server.answer(getUser, agreed);
    server.answer(listConsents, { documents, transfer: { ...transfer, agreed: { version: TRANSFER_VERSION, at } } });
    server.answer(withdrawTransferConsent, () => {
      server.answer(listConsents, { documents, transfer: { ...transfer, agreed: null } });
      return USER;
    });
  });
  await press('button', 'Отозвать', MAIN);
  await untilShown('Согласия нет', MAIN);
  await find('button', 'Прочитать и согласиться', MAIN);
  expect(server.callsOf(withdrawTransferConsent)).toHaveLength(1);
});
