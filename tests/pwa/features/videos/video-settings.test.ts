import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';
import { VideoSettings } from '#pwa/features/videos/video-settings.tsx';
import type { VideoOffer } from '#shared/rules/tool-offer.ts';
import { GENERATIVE_TOOLS } from '#tests/pwa/support/samples.ts';

function read(offer: VideoOffer, replacement: string | null = null): string {
  const page = renderToStaticMarkup(
    createElement(VideoSettings, { form: DEFAULT_VIDEO_FORM, offer, replacement, onChange: () => undefined }),
  );
  return page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

test('the choice of a length says what each of them is good for', () => {
  const text = read(GENERATIVE_TOOLS);
  expect(text).toContain('5 секунд — для Wildberries');
  expect(text).toContain('10 секунд — для Wildberries и Ozon (от 8 секунд)');
});

test('only what the engine makes can be chosen, and what replaces an earlier choice is said', () => {
  const text = read({ videoSeconds: [5], aspectRatios: ['3:4'] }, 'Выбрано 5 секунд.');
  expect(text).toContain('5 секунд — для Wildberries');
  expect(text).toContain('Выбрано 5 секунд.');
  for (const missing of ['10 секунд', 'Ozon', '9:16']) expect(text).not.toContain(missing);
});
