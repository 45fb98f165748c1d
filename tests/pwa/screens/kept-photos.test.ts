// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { ERRORS } from '#shared/contract/errors.ts';
import { deletePhoto, type KeptPhoto, type KeptPhotos, listPhotos } from '#shared/contract/photos.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { openGeneration } from '#tests/pwa/support/open-pages.ts';
import { closeScreen, openScreen, readText, untilGone, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { DIALOG, openSettings } from '#tests/pwa/support/open-settings.ts';
import { PHOTO, photoFile, sampleGeneration, sampleResult } from '#tests/pwa/support/samples.ts';

const TOAST = '.toast';
const LARGE: KeptPhoto = {
  ...PHOTO,
  id: 'large',
  name: 'большое.jpg',
  storedBytes: 9 * 1024 ** 2,
  createdAt: '2026-11-20T10:00:00.000Z',
  isInUse: false,
};
const RUNNING: KeptPhoto = { ...LARGE, id: 'running', name: 'занятое.jpg', storedBytes: 1024 ** 2, isInUse: true };

afterEach(closeScreen);

function keep(photos: KeptPhoto[]): KeptPhotos {
  return { photos, nextCursor: null, total: photos.length, usedBytes: 120 * 1024 ** 2, limitBytes: 300 * 1024 ** 2 };
}

test('the settings list the photos with their sizes; one is deleted after a question, one in work cannot be', async () => {
  let kept = [LARGE, RUNNING];
  const { server, press } = await openSettings((server) => {
    server.answer(listPhotos, () => keep(kept));
    server.answer(deletePhoto, undefined);
  });
  await press('button', 'Посмотреть и удалить');
  await untilShown('Сейчас в работе', DIALOG);
  const shown = readText(DIALOG).replaceAll('\u00a0', ' ');
  expect(shown).toContain('Занято 120 МБ из 300 МБ');
  expect(shown).toContain('9 МБ · 20.11.2026');
  await press('button', 'Удалить фото: большое.jpg');
  expect(server.callsOf(deletePhoto)).toHaveLength(0);
  kept = [RUNNING];
  await press('button', 'Удалить навсегда: большое.jpg');
  await untilShown('Фото удалено', TOAST);
  await untilGone('большое.jpg');
  expect(server.callsOf(deletePhoto).map(({ url }) => url.pathname)).toEqual(['/api/photos/large']);
});

test.each(['photo_quota_reached', 'photo_count_reached'] as const)(
  'an upload that is refused with %s offers the list of photos to delete',
  async (code) => {
    const { press, choose } = await openScreen('/dashboard/photoshoot', {
      prepare: (server) => {
        server.refuse(uploadPhoto, code);
        server.answer(listPhotos, keep([LARGE]));
      },
    });
    await choose(photoFile('платье-1200x1600.jpg'));
    await untilShown(ERRORS[code].message, 'main');
    await press('button', 'Удалить ненужные фото');
    await untilShown('большое.jpg', DIALOG);
  },
);

test('a result whose photo was deleted stays and says so', async () => {
  const made = { status: 'completed' as const, photos: [null], results: [sampleResult()] };
  await openGeneration(sampleGeneration('photosession', made));
  await untilShown('Исходное фото удалено', 'main');
});
