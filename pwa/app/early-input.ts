/** What before-start.js keeps until the page's code has come: the button pressed last. */
declare global {
  var podiumEarlyInput: { button: HTMLElement | null; stop: () => void } | undefined;
}

/**
 * What somebody does to a prerendered page before its code has taken it over is not lost. Call right before that; the
 * answer, called right after, writes what was typed where it was and presses what was pressed.
 */
export function keepEarlyInput(root: HTMLElement): () => void {
  const typed = [...root.querySelectorAll('input')]
    .filter(({ value, type }) => value !== '' && type !== 'checkbox')
    .map((input) => [input, input.value] as const);
  return () => {
    for (const [input, value] of typed) {
      if (!input.isConnected) continue;
      const latest = input.value || value;
      // React counts what it has found for known, and would tell nobody of it: it finds the field empty, and then the
      // value, past React and by an event, is news.
      input.value = '';
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, latest);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const early = globalThis.podiumEarlyInput;
    globalThis.podiumEarlyInput = undefined;
    early?.stop();
    if (!early?.button?.isConnected) return;
    // Tabs listen to this one.
    early.button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }));
    early.button.click();
  };
}
