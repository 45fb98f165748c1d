import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ReceivedPhotosStrip } from '#pwa/features/photos/received-photos-strip.tsx';
import { describeLeftOut } from '#pwa/features/photos/received-texts.ts';
import { NONE_LEFT_OUT, type ReceivedPhoto } from '#pwa/features/uploads/shared-photos.ts';

const WAITING: ReceivedPhoto = {
  id: '0198a5f0-0000-7000-8000-000000000001',
  folder: null,
  name: 'второе.jpg',
  type: 'image/jpeg',
  place: 1,
  receivedAt: 0,
  isFirst: false,
  hasOthers: true,
  owner: 1001,
  isTakenUp: true,
};

test('while no photo can be taken, those that wait are shown and can be put away', () => {
  const page = draw([WAITING], false);
  expect(page.match(/disabled=""/g)).toHaveLength(1);
  expect(page).toContain('>Сейчас фото сменить нельзя. Хранятся неделю');
  expect(draw([WAITING], true)).toContain('>Нажмите, чтобы взять. Хранятся неделю');
});

test('photos that could not be kept are reported with the reason and what to do', () => {
  const describe = (left: Partial<typeof NONE_LEFT_OUT>) =>
    String(describeLeftOut({ ...NONE_LEFT_OUT, ...left }).description).replace(/\s/g, ' ');
  expect(describe({ tooMany: 1 })).toBe('Ждать могут до 10 фото, ещё 1 не сохранено: уберите лишние и добавьте снова.');
  expect(describe({ tooMany: 3 })).toContain('ещё 3 не сохранены');
  expect(describe({ notKept: 1 })).toBe('1 фото не поместилось на устройстве: освободите место и добавьте снова.');
  expect(describe({ notKept: 2 })).toContain('2 фото не поместились');
  expect(describe({ notPhotos: 1 })).toBe('1 файл не взят: это не фото.');
  expect(describe({ notPhotos: 2 })).toBe('2 файла не взяты: это не фото.');
  expect(describe({ notPhotos: 5 })).toBe('5 файлов не взяты: это не фото.');
  expect(describe({ tooMany: 1, notPhotos: 1 })).toMatch(/снова\. 1 файл/);
});

test('one that the browser cannot read is shown by its name', () => {
  const show = (preview: null | undefined) => draw([{ ...WAITING, name: 'IMG_1.heic', preview }], true);
  expect(show(null)).toContain('>IMG_1.heic<');
  // Its preview may still be in the making.
  expect(show(undefined)).not.toContain('>IMG_1.heic<');
});

function draw(photos: ReceivedPhoto[], canTake: boolean): string {
  const nothing = () => undefined;
  const props = { photos, canTake, take: nothing, putAway: nothing, onFocusLost: nothing };
  return renderToStaticMarkup(createElement(ReceivedPhotosStrip, props)).replaceAll('\u00a0', ' ');
}
