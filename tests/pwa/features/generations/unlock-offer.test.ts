import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { UnlockOffer } from '#pwa/features/generations/unlock-offer.tsx';

test('the offer to unlock originals says that marketplaces refuse pictures with a logo', () => {
  const text = renderToStaticMarkup(createElement(UnlockOffer)).replace(/\s+/g, ' ');
  expect(text).toContain('Wildberries и Ozon не принимают картинки с логотипом, Ozon — и видео.');
});
