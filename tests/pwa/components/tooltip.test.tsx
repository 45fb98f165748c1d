// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Tooltip } from '#pwa/components/tooltip.tsx';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function draw() {
  const page = render(
    <Tooltip text="Ваш баланс звезд">
      <button type="button">12</button>
    </Tooltip>,
  );
  return { button: page.getByRole('button'), tip: () => page.queryByRole('tooltip') };
}

const hover = (button: HTMLElement, pointerType: string) => {
  fireEvent.pointerEnter(button, { pointerType });
  act(() => vi.advanceTimersByTime(400));
};

test('a tip comes after a short stay of the mouse, describes its element, and goes with it', () => {
  const { button, tip } = draw();
  fireEvent.pointerEnter(button, { pointerType: 'mouse' });
  expect(tip()).toBeNull();
  act(() => vi.advanceTimersByTime(400));
  expect([tip()?.textContent, button.getAttribute('aria-describedby')]).toEqual(['Ваш баланс звезд', tip()?.id]);
  fireEvent.pointerLeave(button);
  expect([tip(), button.hasAttribute('aria-describedby')]).toEqual([null, false]);
});

test('a finger brings no tip', () => {
  const { button, tip } = draw();
  hover(button, 'touch');
  expect(tip()).toBeNull();
});

test.each([
  ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
  ['a scroll of the page', () => fireEvent.scroll(document)],
])('%s removes a tip', (_, leave) => {
  const { button, tip } = draw();
  hover(button, 'mouse');
  expect(tip()).not.toBeNull();
  leave();
  expect(tip()).toBeNull();
});
