/** Segments start with a letter or a digit, so `..` and hidden files are impossible. */
const KEY = /^[a-z0-9][\w.-]*(\/[a-z0-9][\w.-]*)*$/i;
const KEY_MAX_LENGTH = 300;

/** Throws unless it is a key that every storage takes. */
export function assertKey(key: string): void {
  if (key.length > KEY_MAX_LENGTH || !KEY.test(key)) throw new Error(`Not a storage key: ${key}`);
}
