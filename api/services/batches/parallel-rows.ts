import type { Config } from '#api/config/config.ts';

/** How many rows of one account run at once. */
export function parallelRowsOf(
  { parallelItems }: Pick<Config, 'parallelItems'>,
  { isPremium }: { isPremium: boolean },
) {
  return isPremium ? parallelItems : 1;
}
