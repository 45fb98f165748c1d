/**
 * The text of a table, in an encoding in which Excel writes: UTF-8, UTF-16 with its mark, or windows-1251, which is what
 * is left when it is no valid UTF-8.
 */
export function decodeTable(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1251').decode(bytes);
  }
}

function findEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}
