import { expect, test } from 'vitest';
import { nameVariant } from '#pwa/service-worker/document-variant.ts';

const FILES = [
  { url: 'assets/main-Ab12.js', revision: null },
  { url: 'index.html', revision: 'abc' },
];

test('a document that the server’s settings change is precached again when they change', () => {
  expect(nameVariant(FILES, undefined)).toEqual(FILES);
  expect(nameVariant(FILES, 'GTM-AB12CD3')).toEqual([FILES[0], { url: 'index.html', revision: 'abc-GTM-AB12CD3' }]);
});
