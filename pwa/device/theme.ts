/** In localStorage, because `public/before-start.js` reads it before the first paint. */
const KEY = 'podium.theme';
const THEME_COLORS = { light: '#ffffff', dark: '#1c1b1e' } as const;

export type Theme = keyof typeof THEME_COLORS;
export type ThemeChoice = Theme | 'system';

export function readThemeChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** The theme to show: the person's choice, else the device's preference. */
export function resolveTheme(choice: ThemeChoice, prefersDark: boolean): Theme {
  if (choice !== 'system') return choice;
  return prefersDark ? 'dark' : 'light';
}

export function saveThemeChoice(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  applyTheme();
}

/** Sets the theme and follows the device while nothing is chosen. Call once at the start. */
export function followTheme(): void {
  applyTheme();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
}

function applyTheme(): void {
  const theme = resolveTheme(readThemeChoice(), matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', THEME_COLORS[theme]);
}
