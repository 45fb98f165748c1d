import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';
import { VideoSettings } from '#pwa/features/videos/video-settings.tsx';
import { GENERATIVE_TOOLS } from '#tests/pwa/support/samples.ts';

test('the choice of a length says what each of them is good for', () => {
  const page = renderToStaticMarkup(
    createElement(VideoSettings, {
      form: DEFAULT_VIDEO_FORM,
      offer: GENERATIVE_TOOLS,
      replacement: null,
      onChange: () => undefined,
    }),
  );
  const text = page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toContain('5 секунд — для Wildberries');
  expect(text).toContain('10 секунд — для Wildberries и Ozon (от 8 секунд)');
});
