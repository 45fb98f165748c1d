/** The state of a link that says where it was pressed: `<Link state={fromSource('sidebar')}>`. */
export function fromSource(source: string): { source: string } {
  return { source };
}

/** Where the link to this page was pressed; «address» for a page that was opened without one. */
export function readSource(state: unknown): string {
  const source = typeof state === 'object' && state !== null && 'source' in state ? state.source : null;
  return typeof source === 'string' ? source : 'address';
}
