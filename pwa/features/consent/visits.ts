/** The last opening of each thing, stored on the device for all tabs. */
const KEY = 'podium.opened';
/** A later opening starts a new visit. */
export const VISIT_GAP_MS = 30 * 60_000;

/**
 * Whether this opening starts a visit. A visit lasts as long as each next opening in this browser comes within half an
 * hour: reloads, second tabs and «Back» belong to it.
 */
export function beginsVisit(name: string, now = Date.now()): boolean {
  const openings = readOpenings();
  const last = openings[name];
  // A clock that was set back must not make a visit endless.
  const isSame = last !== undefined && last <= now && now - last < VISIT_GAP_MS;
  const current = Object.entries(openings).filter(([, at]) => at <= now && now - at < VISIT_GAP_MS);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(current), [name]: now }));
  } catch {
    // Without storage each opening counts.
  }
  return !isSame;
}

/** For a sign-out: the next person starts visits of their own. */
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
