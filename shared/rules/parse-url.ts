/** `URL.parse`, which iOS before 18 and Chrome before 126 do not have. */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}
