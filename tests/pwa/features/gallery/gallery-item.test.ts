import { describe, expect, it } from 'vitest';
import { tagResult, toImageItem, toVideoItem } from '#pwa/features/gallery/gallery-item.ts';
import { keepFirstPage } from '#pwa/features/gallery/gallery-lists.ts';
import { readVerdict } from '#pwa/features/gallery/marketplace-verdict.ts';
import { splitIntoBlocks } from '#pwa/features/gallery/result-grid.tsx';
import type { GalleryImage } from '#shared/contract/gallery.ts';
import type { Video } from '#shared/contract/videos.ts';
import { judgeForMarketplaces } from '#shared/rules/marketplaces.ts';

const image: GalleryImage = {
  id: 'i1',
  generationId: 'g1',
  title: 'Пальто',
  imageUrl: '/full',
  displayUrl: '/display',
  thumbnailUrl: '/thumb',
  originalImageUrl: '/full',
  downloadUrl: '/full',
  createdAt: '2026-11-21T10:00:00.000Z',
  generationType: 'model_change',
  made: 'background_change',
  metadata: {},
  canDownload: true,
  isOptimized: true,
  width: 1200,
  height: 1600,
  bytes: 1_000_000,
  hasWatermark: false,
  hasDrifted: false,
};
const video: Video = {
  id: 'v1',
  url: null,
  videoUrl: '/api/video-proxy/v1',
  videoId: 'v1',
  generationId: 'v1',
  title: '',
  status: 'completed',
  createdAt: '2026-11-21T10:00:00.000Z',
  error: null,
  thumbnail: '/thumb',
  posterUrl: '/poster',
  duration: 5,
  width: 1080,
  height: 1440,
  bytes: 2_000_000,
  hasDrifted: false,
};

describe('a card of the gallery', () => {
  it('names pictures by what they are, an unknown one too', () => {
    expect(['photosession', 'model_change', 'postcard'].map(tagResult)).toEqual([
      'Генерация фото',
      'Смена модели',
      'Неизвестно',
    ]);
    expect(toImageItem(image).tag).toBe('Смена фона');
  });

  it('shows the preview, or the image where there is none', () => {
    const watermarked = { ...image, hasWatermark: true };
    expect(toImageItem(watermarked).pictureUrl).toBe('/display');
    expect(toImageItem({ ...watermarked, displayUrl: '' }).pictureUrl).toBe('/full');
  });

  it('asks for another picture once the watermark has gone, so that an open page shows it', () => {
    const watermarked = toImageItem({ ...image, hasWatermark: true });
    expect(toImageItem(image).pictureUrl).not.toBe(watermarked.pictureUrl);
    expect(toImageItem(image).fullUrl).not.toBe(watermarked.kind === 'image' && watermarked.fullUrl);
    expect(toVideoItem(video, true)?.pictureUrl).not.toBe(toVideoItem(video, false)?.pictureUrl);
  });

  it('offers «Оригинал HD» only where the original may be had', () => {
    expect(toImageItem(image).downloadLabel).toBe('Оригинал HD');
    expect(toImageItem({ ...image, isOptimized: false }).downloadLabel).toBe('Скачать');
    expect(toImageItem({ ...image, canDownload: false }).downloadLabel).toBe('Скачать');
  });

  it('judges a free video as it is served: with the logo', () => {
    expect(toVideoItem(video, false)).toMatchObject({ file: { hasWatermark: true, durationSeconds: 5 } });
    expect(toVideoItem(video, true)?.file.hasWatermark).toBe(false);
  });

  it('leaves out a video without a file', () => {
    expect(toVideoItem({ ...video, videoUrl: null }, true)).toBeNull();
  });
});

describe('the marketplace line', () => {
  const verdicts = (file: Parameters<typeof judgeForMarketplaces>[0]) =>
    Object.fromEntries(
      judgeForMarketplaces(file).map((judgement) => [judgement.marketplace, readVerdict(judgement, file)]),
    );

  it('does not take the silence of a marketplace for a yes', () => {
    expect(verdicts(toImageItem(image).file)).toEqual({ wildberries: 'fits', ozon: 'fits', yandex_market: 'unknown' });
  });

  it('says that a watermark does not fit', () => {
    expect(verdicts({ ...toImageItem(image).file, hasWatermark: true })).toMatchObject({
      wildberries: 'fails',
      ozon: 'fails',
    });
  });

  it('says that 5 seconds are too short for Ozon', () => {
    expect(verdicts({ ...toImageItem(image).file, durationSeconds: 5 }).ozon).toBe('fails');
  });
});

describe('a long gallery', () => {
  it('is cut into blocks of full rows', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({ ...toImageItem(image), id: String(index) }));
    const blocks = splitIntoBlocks(items);
    expect(blocks.flat()).toEqual(items);
    expect(blocks.slice(0, -1).every(({ length }) => [1, 2, 3, 4].every((columns) => length % columns === 0))).toBe(
      true,
    );
  });

  it('begins again at its first page', () => {
    expect(keepFirstPage({ pages: ['a', 'b'], pageParams: [null, 'x'] })).toEqual({ pages: ['a'], pageParams: [null] });
    expect(keepFirstPage(undefined)).toBeUndefined();
  });
});
