import { expect, test } from 'vitest';
import type { GalleryItem } from '#pwa/features/gallery/gallery-item.ts';
import { findFirstTab } from '#pwa/features/gallery/gallery-tab.ts';

const item = { id: 'i1' } as GalleryItem;
const full = { items: [item], error: null, isFetching: false };
const empty = { items: [], error: null, isFetching: false };
const unknown = { items: null, error: null, isFetching: true };
const failed = { items: null, error: new Error('no answer'), isFetching: false };

test('the gallery opens on the tab that has something, of two on the images', () => {
  expect(findFirstTab(full, full)).toBe('images');
  expect(findFirstTab(full, unknown)).toBe('images');
  expect(findFirstTab(empty, full)).toBe('videos');
  expect(findFirstTab(empty, empty)).toBe('images');
});

test('it waits for what is being asked, also where an empty list was kept on the device', () => {
  expect(findFirstTab(unknown, unknown)).toBeNull();
  expect(findFirstTab({ ...empty, isFetching: true }, full)).toBeNull();
  expect(findFirstTab(empty, { ...empty, isFetching: true })).toBeNull();
  expect(findFirstTab({ ...full, isFetching: true }, unknown)).toBe('images');
});

test('a list that cannot be had is opened, so that it says so', () => {
  expect(findFirstTab(failed, unknown)).toBe('images');
  expect(findFirstTab(empty, failed)).toBe('videos');
});
