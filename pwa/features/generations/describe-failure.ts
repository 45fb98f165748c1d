import { localizeEngineDay } from '#pwa/client/engine-day.ts';
import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import type { Followed } from './followed-generation.ts';

/** Why a followed generation of this price has failed, and which stars are back. `reason`: when the server says none. */
export function explainFailure(
  { view, early }: Pick<Followed<unknown>, 'view' | 'early'>,
  price: number,
  reason: string,
): string {
  const returned = view ? countReturned(view, price) : price - (early?.starsSpent ?? price);
  return describeFailure(view?.failure?.message || reason, returned);
}

/** The server's text about a failure. Says exactly once that the stars are back. */
export function describeFailure(serverMessage: string, returnedStars: number): string {
  const message = localizeEngineDay(serverMessage);
  const mentionsStars = /зв[её]зд/i.test(message);
  if (mentionsStars || returnedStars <= 0) return nb(message);
  return nb(`${message.replace(/\.?$/, '.')} ${describeReturn(returnedStars)}`);
}

/** «1 звезда возвращена.», «2 звезды возвращены.» */
export function describeReturn(stars: number): string {
  return `${countStars(stars)} ${pluralize(stars, ['возвращена', 'возвращены', 'возвращено'])}.`;
}

/** How many stars of this price came back. A re-roll has cost none. */
export function countReturned(view: Pick<GenerationView, 'rerollOf' | 'starsSpent'>, price: number): number {
  return view.rerollOf === null ? price - view.starsSpent : 0;
}
