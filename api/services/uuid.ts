const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text can be compared with a uuid column; anything else would be an error of the database. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
