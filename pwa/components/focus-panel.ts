/** For dialogs: focus starts on the panel itself, so that its title is read and no button looks chosen. */
export function focusPanel(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}
