const inTheMaking = new Map<string, Promise<void>>();

/** Makes the file of this key once for however many ask at the same time; answers the key. */
export async function makeOnce(key: string, make: () => Promise<void>): Promise<string> {
  const making = inTheMaking.get(key) ?? make().finally(() => inTheMaking.delete(key));
  inTheMaking.set(key, making);
  await making;
  return key;
}
