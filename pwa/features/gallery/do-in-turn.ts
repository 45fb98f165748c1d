/** What was done with several things one after the other, until one failed. */
export interface DoneInTurn<Item> {
  done: Item[];
  failure: { item: Item; cause: unknown } | null;
}

export async function doInTurn<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<DoneInTurn<Item>> {
  const done: Item[] = [];
  for (const item of items) {
    try {
      await work(item);
      done.push(item);
    } catch (cause) {
      return { done, failure: { item, cause } };
    }
  }
  return { done, failure: null };
}
