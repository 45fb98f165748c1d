import { expect, test } from 'vitest';
import { toVideoItem } from '#pwa/features/gallery/gallery-item.ts';
import { showFromHistory } from '#pwa/features/videos/shown-video.ts';
import type { PlayableVideo } from '#pwa/features/videos/video-queries.ts';
import { pickRecentItems } from '#pwa/pages/app-page/recent-items.ts';
import type { GalleryImage } from '#shared/contract/gallery.ts';

const video = (id: string, createdAt: string, pictures: Partial<PlayableVideo> = {}) =>
  ({
    id,
    generationId: `g-${id}`,
    createdAt,
    title: `Видео ${id}`,
    duration: 5.04,
    thumbnail: null,
    posterUrl: null,
    ...pictures,
  }) as PlayableVideo;
const image = (id: string, createdAt: string) =>
  ({ id, createdAt, title: `Фото ${id}`, thumbnailUrl: `/media/${id}` }) as GalleryImage;

test('the newest results of every kind stand in one row, newest first', () => {
  const items = pickRecentItems(
    [video('v2', '2026-11-20T12:00:00.000Z'), video('v1', '2026-11-18T12:00:00.000Z')],
    [image('i2', '2026-11-21T12:00:00.000Z'), image('i1', '2026-11-19T12:00:00.000Z')],
  );
  expect(items.map(({ id, kind }) => [id, kind])).toEqual([
    ['i2', 'image'],
    ['v2', 'video'],
    ['i1', 'image'],
    ['v1', 'video'],
  ]);
});

test('each leads to itself: a video to its page, a picture to the gallery that opens it', () => {
  const items = pickRecentItems([video('v', '2026-11-20T12:00:00.000Z')], [image('i', '2026-11-21T12:00:00.000Z')]);
  expect(items.map(({ path }) => path)).toEqual([
    '/dashboard/gallery?picture=i',
    '/dashboard/create-video?generation=g-v',
  ]);
});

test('the row holds six, whatever their kinds', () => {
  const images = Array.from({ length: 9 }, (_, index) => image(String(index), `2026-11-1${index}T12:00:00.000Z`));
  const items = pickRecentItems([video('v', '2026-11-14T12:00:00.000Z')], images.toReversed());
  expect(items.map(({ id }) => id)).toEqual(['8', '7', '6', '5', 'v', '4']);
});

test('each is named by its title; a video without a picture has none', () => {
  const [named, silent, shown] = pickRecentItems(
    [
      video('silent', '2026-11-20T12:00:00.000Z'),
      video('shown', '2026-11-19T12:00:00.000Z', { thumbnail: '/small', posterUrl: '/large' }),
    ],
    [image('i', '2026-11-21T12:00:00.000Z')],
  );
  expect(named).toMatchObject({ title: 'Фото i', pictureUrl: '/media/i' });
  expect(silent).toMatchObject({ title: 'Видео silent', pictureUrl: null });
  expect(shown).toMatchObject({ pictureUrl: '/small' });
});

test('a video has one title on its card, its page and in the row of newest results', () => {
  const title = 'Платье_Дефиле_2026-11-20_9f3a1c07';
  const shown = video('v', '2026-11-20T12:00:00.000Z', { title });
  const titles = [
    toVideoItem(shown, true)?.title,
    showFromHistory(shown).title,
    pickRecentItems([shown], [])[0]?.title,
  ];
  expect(new Set(titles)).toEqual(new Set([title]));
});
