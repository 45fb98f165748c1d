/**
 * Whole stars that a part of a price had bought. All of them for the whole price and more. Both amounts in minor units
 * of the same currency.
 */
export function countRefundedStars(bought: { stars: number; amountMinor: number }, refundedMinor: number): number {
  return Math.floor((bought.stars * Math.min(refundedMinor, bought.amountMinor)) / bought.amountMinor);
}
