const LENGTH = 8;

/**
 * The visible part of an id: its end, because UUIDs of version 7 begin with the time and those of one day look alike
 * there.
 */
export function shortId(id: string): string {
  return id.slice(-LENGTH);
}
