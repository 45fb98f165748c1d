// Making one takes far longer than using it.
const RULES = new Intl.PluralRules('ru');
const NUMBERS = new Intl.NumberFormat('ru-RU');
type Forms = readonly [one: string, few: string, many: string];

/** The form for the number: `pluralize(2, ['звезда', 'звезды', 'звёзд'])` is «звезды». */
export function pluralize(count: number, [one, few, many]: Forms): string {
  const category = RULES.select(count);
  return category === 'one' ? one : category === 'few' ? few : many;
}

export const STAR_FORMS: Forms = ['звезда', 'звезды', 'звёзд'];

/** «1 звезда», «2 звезды», «5 звёзд», with a no-break space. */
export function countStars(count: number, forms: Forms = STAR_FORMS): string {
  return `${NUMBERS.format(count)}\u00a0${pluralize(count, forms)}`;
}

/** In the accusative: «за 1 звезду», «за 2 звезды», «за 5 звёзд». */
export function countStarsPaid(count: number): string {
  return countStars(count, ['звезду', 'звезды', 'звёзд']);
}
