import type { AppContext } from '#api/services/app-context.ts';

/** How many rows of one account run at once. */
export function parallelRowsOf(
  { parallelItems }: Pick<AppContext['config'], 'parallelItems'>,
  { isPremium }: { isPremium: boolean },
) {
  return isPremium ? parallelItems : 1;
}
