import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CodeInput } from '#pwa/components/code-input.tsx';

const render = (props: { value: string; error?: string }) =>
  renderToStaticMarkup(createElement(CodeInput, { label: 'Код', onChange: () => undefined, ...props }));

it('the stitch grows with the code and is replaced by an error', () => {
  expect(render({ value: '' })).not.toContain('stitch');
  expect(render({ value: 'A1B' })).toContain('width:50%');
  const wrong = render({ value: 'A1B2C3', error: 'Неверный код' });
  expect(wrong).toContain('Неверный код');
  expect(wrong).not.toContain('stitch');
});
