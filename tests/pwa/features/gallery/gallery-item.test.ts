import { describe, expect, it } from 'vitest';
import { keepFirstPage } from '#pwa/client/keep-first-page.ts';
import { tagResult, toImageItem, toVideoItem } from '#pwa/features/gallery/gallery-item.ts';
import { readVerdict } from '#pwa/features/gallery/marketplace-verdict.ts';
import { judgeForMarketplaces } from '#shared/rules/marketplaces.ts';
import { sampleImage, VIDEO } from '#tests/pwa/support/samples.ts';

const image = sampleImage({
  made: 'background_change',
  canDownload: true,
  isOptimized: true,
  bytes: 1_000_000,
  hasWatermark: false,
});
const video = { ...VIDEO, url: null };

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
    expect(toImageItem(watermarked).pictureUrl).toBe(image.displayUrl);
    expect(toImageItem({ ...watermarked, displayUrl: '' }).pictureUrl).toBe(image.imageUrl);
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
  it('begins again at its first page', () => {
    expect(keepFirstPage({ pages: ['a', 'b'], pageParams: [null, 'x'] })).toEqual({ pages: ['a'], pageParams: [null] });
  });
});
