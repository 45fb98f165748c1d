/** Of each thing that was opened, the moment of its last opening; on the device, for all of its tabs. */
const KEY = 'podium.opened';
/** Whoever comes back later has come anew. */
export const VISIT_GAP_MS = 30 * 60_000;

/**
 * Whether this opening of something begins a visit. A visit to it lasts as long as it is opened again in this browser
 * within half an hour: a reload, a second tab and a way back belong to it.
 */
export function beginsVisit(name: string, now = Date.now()): boolean {
  const openings = readOpenings();
  const last = openings[name];
  // A clock that was set back makes no visit endless.
  const isSame = last !== undefined && last <= now && now - last < VISIT_GAP_MS;
  const current = Object.entries(openings).filter(([, at]) => at <= now && now - at < VISIT_GAP_MS);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(current), [name]: now }));
  } catch {
    // Without storage each opening counts.
  }
  return !isSame;
}

/** A sign-out ends them: who comes next visits for themselves. */
export function forgetVisits(): void {
  localStorage.removeItem(KEY);
}

function readOpenings(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return Object.fromEntries(entries.filter(([, at]) => typeof at === 'number'));
  } catch {
    return {};
  }
}
