import { expect, test } from 'vitest';
import { toVideoItem } from '#pwa/features/gallery/gallery-item.ts';
import { showFromHistory } from '#pwa/features/videos/shown-video.ts';
import type { PlayableVideo } from '#pwa/features/videos/video-queries.ts';
import { pickRecentItems } from '#pwa/pages/app-page/recent-items.ts';
import { sampleImage, sampleResults, VIDEO } from '#tests/pwa/support/samples.ts';

const video = (id: string, pictures: { thumbnail?: string | null; posterUrl?: string | null } = {}) => ({
  ...VIDEO,
  id,
  videoId: id,
  generationId: `g-${id}`,
  title: `Видео ${id}`,
  thumbnail: null,
  posterUrl: null,
  ...pictures,
});
const image = (id: string) =>
  sampleImage({ id, generationId: `g-${id}`, title: `Фото ${id}`, thumbnailUrl: `/media/${id}` });
const pick = (...results: Parameters<typeof sampleResults>[0]) => pickRecentItems(sampleResults(results).items);

test('results of every kind stand in one row, in the order of the list', () => {
  const items = pick(image('i2'), video('v2'), image('i1'), video('v1'));
  expect(items.map(({ id, kind }) => [id, kind])).toEqual([
    ['i2', 'image'],
    ['v2', 'video'],
    ['i1', 'image'],
    ['v1', 'video'],
  ]);
});

test('each leads to itself: a video to its page, a picture to the gallery that opens it', () => {
  expect(pick(image('i'), video('v')).map(({ path }) => path)).toEqual([
    '/dashboard/gallery?picture=i',
    '/dashboard/create-video?generation=g-v',
  ]);
});

test('the row holds six, and the frames of a photo session are one of them, shown by the first that is there', () => {
  const frame = (position: number) => ({ ...image(`f${position}`), generationId: 'session', position });
  const others = Array.from({ length: 7 }, (_, index) => image(String(index)));
  const items = pick(frame(4), frame(2), ...others, frame(1));
  expect(items.map(({ id }) => id)).toEqual(['f1', '0', '1', '2', '3', '4']);
});

test('each is named by its title; a video without a picture has none', () => {
  const [named, silent, shown] = pick(
    image('i'),
    video('silent'),
    video('shown', { thumbnail: '/small', posterUrl: '/large' }),
  );
  expect(named).toMatchObject({ title: 'Фото i', pictureUrl: '/media/i' });
  expect(silent).toMatchObject({ title: 'Видео silent', pictureUrl: null });
  expect(shown).toMatchObject({ pictureUrl: '/small' });
});

test('a video has one title on its card, its page and in the row of newest results', () => {
  const shown = video('v');
  const titles = [
    toVideoItem(shown, true)?.title,
    showFromHistory(shown as PlayableVideo).title,
    pick(shown)[0]?.title,
  ];
  expect(new Set(titles)).toEqual(new Set(['Видео v']));
});
