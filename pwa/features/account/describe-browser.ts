/** The first match wins, because many browsers also identify as Chrome or Safari. */
const BROWSERS: ReadonlyArray<[pattern: RegExp, name: string]> = [
  [/YaBrowser\//, 'Яндекс Браузер'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/\b(Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: ReadonlyArray<[pattern: RegExp, name: string]> = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

export interface BrowserDescription {
  /** «Chrome, Windows» */
  name: string;
  isPhone: boolean;
}

/** Names the browser and system of a user agent for people. */
export function describeBrowser(userAgent: string): BrowserDescription {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const parts = [find(BROWSERS), find(SYSTEMS)].filter(Boolean);
  return {
    name: parts.length > 0 ? parts.join(', ') : 'Неизвестный браузер',
    isPhone: /iPhone|Android.*Mobile/.test(userAgent),
  };
}
