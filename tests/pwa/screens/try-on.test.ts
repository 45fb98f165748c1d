// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { readStored } from '#pwa/device/storage.ts';
import { queueFile } from '#pwa/features/uploads/upload-queue.ts';
import { cancelGeneration, getGeneration } from '#shared/contract/generations.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { startTryOn } from '#shared/contract/try-on.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';
import type { ContractServer } from '#tests/pwa/support/contract-server.ts';
import { closeScreen, openScreen, readText, untilRead, untilShown } from '#tests/pwa/support/open-screen.tsx';
import {
  ALL_TOOLS,
  GENERATION_ID,
  LOCAL_TOOLS,
  PHOTO,
  photoFile,
  sampleActive,
  sampleGeneration,
  sampleResult,
  USER,
} from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const PAGE = '/dashboard/try-on';
const MAIN = 'main';
const TOAST = '.toast';
const PERSON = { ...PHOTO, id: 'photo-2', name: 'anna.jpg' };

afterEach(closeScreen);

function offerTryOn(server: ContractServer): void {
  server.answer(getToolAbilities, ALL_TOOLS);
}

/** Chooses a file in the chooser of the garment or of the person. */
async function choose(place: 'garment' | 'person', file: File): Promise<void> {
  const heading = await until(() => {
    const title = place === 'garment' ? 'Фото товара' : 'Фото человека';
    const found = [...document.querySelectorAll('h2')].find(({ textContent }) => textContent === title);
    if (!found) throw new Error(`there is no ${title}`);
    return found;
  });
  const input = heading.parentElement?.querySelector('input[type=file]');
  await act(async () => {
    fireEvent.change(input as Element, { target: { files: [file] } });
  });
}

/** Chooses both photos, the garment first. */
async function chooseBoth(server: ContractServer): Promise<void> {
  server.answer(uploadPhoto, PHOTO);
  await choose('garment', photoFile('dress-1200x1600.jpg'));
  await untilShown(PHOTO.name, MAIN);
  server.answer(uploadPhoto, PERSON);
  await choose('person', photoFile('anna-1200x1600.jpg'));
  await untilShown(PERSON.name, MAIN);
}

/** The address of the picture that the state of a generation covers. */
function readShownUser(): string | null | undefined {
  return document.querySelector('img[alt="Исходное фото"]')?.getAttribute('src');
}

test('without an engine for it the tool is only announced, on its page, in the navigation and on the home page', async () => {
  const { go } = await openScreen(PAGE, { prepare: (server) => server.answer(getToolAbilities, LOCAL_TOOLS) });
  await untilShown('Что появится', MAIN);
  expect(readText(MAIN)).toContain('Скоро');
  expect(readText('aside')).toContain('Виртуальная примеркаСкоро');
  await go('/app');
  await untilShown('Вещь на фото вашего покупателя', MAIN);
  expect(readText(MAIN)).toContain('Вещь на фото вашего покупателяСкоро');
});

test('with an engine for it the announcements become ordinary, with a price', async () => {
  const { go } = await openScreen('/app', { prepare: offerTryOn });
  await untilShown('Вещь на фото вашего покупателя', MAIN);
  expect(readText(MAIN)).toMatch(/Вещь на фото вашего покупателя\s*1 звезда/);
  expect(readText('body')).not.toContain('Скоро');
  await go(PAGE);
  await untilShown('Фото человека', MAIN);
  expect(readText(MAIN)).not.toContain('Что появится');
});

test('two photos and a kind of garment become a picture that is compared with the photo of the person', async () => {
  const { server, press } = await openScreen(PAGE, { prepare: offerTryOn });
  await untilShown('Добавьте фото вещи', MAIN);
  server.answer(uploadPhoto, PHOTO);
  await choose('garment', photoFile('dress-1200x1600.jpg'));
  await untilShown('Добавьте фото человека', MAIN);
  server.answer(uploadPhoto, PERSON);
  await choose('person', photoFile('anna-1200x1600.jpg'));
  await untilShown(PERSON.name, MAIN);
  await press('radio', /^Низ/);
  const view = { photos: [PHOTO, PERSON], settings: { category: 'bottoms' as const } };
  server.answer(startTryOn, { generationId: GENERATION_ID });
  server.answer(getGeneration, sampleGeneration('try_on', view));
  await press('button', /^Примерить/);
  await untilShown('Генерируем', MAIN);
  expect(readText(MAIN)).toContain('Низ');
  expect(server.callsOf(startTryOn).map(({ body }) => body)).toEqual([
    { garmentImageId: PHOTO.id, personImageId: PERSON.id, category: 'bottoms' },
  ]);

  server.answer(
    getGeneration,
    sampleGeneration('try_on', { ...view, status: 'completed', results: [sampleResult({ isWatermarked: true })] }),
  );
  await act(async () => window.dispatchEvent(new Event('focus')));
  await untilShown('Вещь примерена', MAIN);
  expect(document.querySelector(`img[alt="Было: фото человека"]`)?.getAttribute('src')).toBe(PERSON.previewUrl);
  await untilShown('Для ознакомления: с водяным знаком', MAIN);
  // The next garment is put on the same person.
  await press('button', 'Следующее фото');
  await untilShown(PERSON.name, MAIN);
  await untilShown('Добавьте фото вещи', MAIN);
  expect(readText(MAIN)).not.toContain(PHOTO.name);
});

test('a try-on that runs is found again after a reload, with both photos', async () => {
  const { server, press, reload } = await openScreen(PAGE, { prepare: offerTryOn });
  await chooseBoth(server);
  server.answer(startTryOn, { generationId: GENERATION_ID });
  server.answer(getGeneration, sampleGeneration('try_on', { photos: [PHOTO, PERSON] }));
  await press('button', /^Примерить/);
  await untilShown('Генерируем', MAIN);
  await until(async () => {
    expect(await readStored(USER.id, 'activeTryOn', { safeParse: (data) => ({ success: true, data }) })).not.toBeNull();
  });
  await reload();
  await untilShown('Генерируем', MAIN);
  expect(readShownUser()).toBe(PERSON.previewUrl);
  expect(server.callsOf(startTryOn)).toHaveLength(1);
});

test('what another device has started is shown, and one that was cancelled leads back to the choice', async () => {
  const { server, press } = await openScreen(PAGE, {
    prepare(server) {
      offerTryOn(server);
      server.answer(getGeneration, sampleGeneration('try_on', { photos: [PHOTO, PERSON] }));
      server.answer(listActiveGenerations, { activeGenerations: [sampleActive('try_on')] });
    },
  });
  await until(() => expect(readShownUser()).toBe(PERSON.previewUrl));
  const message = GENERATION_FAILURES.cancelled;
  server.answer(listActiveGenerations, { activeGenerations: [] });
  server.answer(cancelGeneration, { outcome: 'cancelled', message });
  await press('button', 'Отменить');
  await untilRead(message, TOAST);
  await untilShown(PHOTO.name, MAIN);
  await untilShown(PERSON.name, MAIN);
});

test('a failure says why and that the star is back, and the same is tried again', async () => {
  const { server, press } = await openScreen(PAGE, { prepare: offerTryOn });
  await chooseBoth(server);
  server.answer(startTryOn, { generationId: GENERATION_ID });
  const failure = { code: 'engine_error', message: GENERATION_FAILURES.engine_error } as const;
  const failed = { photos: [PHOTO, PERSON], status: 'failed', failure, starsSpent: 0 } as const;
  server.answer(getGeneration, sampleGeneration('try_on', { ...failed, photos: [PHOTO, PERSON] }));
  await press('button', /^Примерить/);
  await untilShown('Примерка не получилась', `${MAIN} [role=alert]`);
  expect(readText(`${MAIN} [role=alert]`)).toContain('1 звезда возвращена.');
  await press('button', /^Повторить/);
  await until(() => expect(server.callsOf(startTryOn)).toHaveLength(2));
  const [first, second] = server.callsOf(startTryOn);
  expect(second?.body).toEqual(first?.body);
});

test('without a star the button leads to the purchase', async () => {
  const { server, press } = await openScreen(PAGE, {
    prepare(server) {
      offerTryOn(server);
      server.answer(getStarBalance, { balance: 0 });
    },
  });
  await chooseBoth(server);
  await untilShown('Нужна 1 звезда, на балансе 0.', MAIN);
  await press('button', /^Примерить/);
  await untilShown('Пополнить звезды', '[role=dialog]');
  expect(server.callsOf(startTryOn)).toEqual([]);
});

test.each(['photo_not_found', 'file_lost'] as const)(
  'photos that the server has no more (%s) have to be chosen again',
  async (code) => {
    const { server, press } = await openScreen(PAGE, { prepare: offerTryOn });
    await chooseBoth(server);
    server.refuse(startTryOn, code);
    await press('button', /^Примерить/);
    await untilShown('Добавьте фото вещи', MAIN);
  },
);

test('a photo of the person that waits for a network is shown in its own place', async () => {
  const { server } = await openScreen(PAGE, {
    async prepare(server) {
      offerTryOn(server);
      server.cut(uploadPhoto);
      await queueFile(USER.id, 'try_on_person', photoFile('anna-1200x1600.jpg'));
    },
  });
  await untilShown('anna-1200x1600.jpg', MAIN);
  await untilShown('Добавьте фото вещи', MAIN);
  expect(server.callsOf(startTryOn)).toEqual([]);
});
