type Open = (path: string) => void;

const listeners = new Set<Open>();

/** Opens a page of the app from outside of what is drawn, as a pressed notification does. */
export function openPath(path: string): void {
  for (const open of listeners) open(path);
}

export function subscribeOpenPath(open: Open): () => void {
  listeners.add(open);
  return () => listeners.delete(open);
}
