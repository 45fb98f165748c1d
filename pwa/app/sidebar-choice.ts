/** In localStorage: the width must be right in the first frame. */
const KEY = 'podium.sidebarCollapsed';

export function readSidebarCollapsed(): boolean {
  return localStorage.getItem(KEY) === '1';
}

export function saveSidebarCollapsed(isCollapsed: boolean): void {
  if (isCollapsed) localStorage.setItem(KEY, '1');
  else localStorage.removeItem(KEY);
}
