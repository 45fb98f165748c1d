/**
 * Stars that so much of a price had bought, in whole ones; all of them for the whole price and more. Prices in the same
 * hundredths.
 */
export function countRefundedStars(bought: { stars: number; amountMinor: number }, refundedMinor: number): number {
  return Math.floor((bought.stars * Math.min(refundedMinor, bought.amountMinor)) / bought.amountMinor);
}
