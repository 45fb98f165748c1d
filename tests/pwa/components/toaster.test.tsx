// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { dismissToast, shownToast, toast } from '#pwa/components/toast.ts';
import { Toaster } from '#pwa/components/toaster.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  const shown = shownToast.get();
  if (shown) dismissToast(shown.id);
});

test('a swipe that was too short may end beside the toast, and a later one dismisses it', () => {
  const held: number[] = [];
  vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation((pointer) => void held.push(pointer));
  const page = render(<Toaster />);
  act(() => void toast({ title: 'Готово' }));
  const shown = page.getByText('Готово').closest('.toast') as HTMLElement;
  const swipe = (px: number) => {
    fireEvent.pointerDown(shown, { clientX: 100, pointerId: 7 });
    fireEvent.pointerMove(shown, { clientX: 100 + px });
    fireEvent.pointerUp(shown, { clientX: 100 + px });
  };
  swipe(30);
  expect([shownToast.get()?.title, shown.style.transform]).toEqual(['Готово', 'translateX(0px)']);
  swipe(60);
  expect(shownToast.get()).toBeNull();
  // The browser tells the toast of the whole swipe, wherever the pointer is.
  expect(held).toEqual([7, 7]);
});
