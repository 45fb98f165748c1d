/** The state of a link that names where it was pressed: `<Link state={fromSource('sidebar')}>`. */
export function fromSource(source: string): { source: string } {
  return { source };
}

/** Where the link to this page was pressed; `address` when the page was opened without a link. */
export function readSource(state: unknown): string {
  const source = typeof state === 'object' && state !== null && 'source' in state ? state.source : null;
  return typeof source === 'string' ? source : 'address';
}
