import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { EmptyStage, PhotoStage } from '#pwa/features/generations/photo-stage.tsx';

it.each([
  ['3:4', 0.75],
  ['9:16', 0.5625],
  ['1:1', 1],
] as const)('a result of %s is waited for in a frame of its shape', (aspectRatio, ratio) => {
  const photo = renderToStaticMarkup(createElement(PhotoStage, { pictureUrl: '/photo.webp', aspectRatio }));
  expect(photo).toContain(`--frame-ratio:${ratio}`);
  const empty = renderToStaticMarkup(createElement(EmptyStage, { aspectRatio, text: 'Здесь появится видео' }));
  expect(empty).toContain(`--frame-ratio:${ratio}`);
});
