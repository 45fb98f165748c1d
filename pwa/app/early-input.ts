/** Set by before-start.js: the button that was pressed last before the page's code came. */
declare global {
  var podiumEarlyInput: { button: HTMLElement | null; stop: () => void } | undefined;
}

/**
 * Saves what a person typed and pressed on a prerendered page before hydration. Call it right before hydration. Call
 * the returned function right after: it restores the typed texts and repeats the press.
 */
export function captureEarlyInput(root: HTMLElement): () => void {
  const typed = [...root.querySelectorAll('input')]
    .filter(({ value, type }) => value !== '' && type !== 'checkbox')
    .map((input) => [input, input.value] as const);
  return () => {
    for (const [input, value] of typed) {
      if (!input.isConnected) continue;
      const latest = input.value || value;
      // React ignores a value that was there before hydration. So the field is emptied first, and then the value is set
      // with the native setter and announced by an event, which React sees as a change.
      input.value = '';
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, latest);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const early = globalThis.podiumEarlyInput;
    globalThis.podiumEarlyInput = undefined;
    early?.stop();
    if (!early?.button?.isConnected) return;
    early.button.click();
  };
}
