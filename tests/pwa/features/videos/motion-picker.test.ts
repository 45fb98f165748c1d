import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MotionPicker } from '#pwa/features/videos/motion-picker.tsx';
import { PRESET_DESCRIPTIONS } from '#pwa/features/videos/video-texts.ts';

test('the motion whose sample is still to come says that it can be chosen, and that only the sample is missing', () => {
  const markup = renderToStaticMarkup(createElement(MotionPicker, { value: 'spin', onChange: () => undefined }));
  const plain = markup.replaceAll('\u00a0', ' ');
  expect(plain).toContain('Обувь: можно выбрать, пример скоро');
  expect(plain).toContain('«Обувь» уже работает: скоро появится только пример.');
  expect(plain).not.toMatch(/>Скоро</);
  expect(plain.match(/Пример скоро/g)).toHaveLength(1);
});

test('where the camera alone moves, no motion is said to be made by a model', () => {
  expect(Object.values(PRESET_DESCRIPTIONS.camera).join(' ')).not.toMatch(/модель|позиру|танц/i);
  expect(PRESET_DESCRIPTIONS.person.dance).toBe('Модель позирует и медленно танцует');
});
