import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MotionPicker } from '#pwa/features/videos/motion-picker.tsx';

test('the motion whose sample is still to come says that it can be chosen, and that only the sample is missing', () => {
  const markup = renderToStaticMarkup(createElement(MotionPicker, { value: 'spin', onChange: () => undefined }));
  const plain = markup.replaceAll('\u00a0', ' ');
  expect(plain).toContain('Обувь: можно выбрать, пример скоро');
  expect(plain).toContain('«Обувь» уже работает: скоро появится только пример.');
  expect(plain).not.toMatch(/>Скоро</);
  expect(plain.match(/Пример скоро/g)).toHaveLength(1);
});
