import type { GarmentCheck, GarmentChecker } from '#api/adapters/garment-check/garment-checker.ts';

type Order = Parameters<GarmentChecker['check']>[0];
/** What it finds, or how it fails. */
export type FakeFinding =
  | GarmentCheck['verdict']
  | Error
  | ((order: Order, signal: AbortSignal) => Promise<GarmentCheck>);

/** A checker that a test controls. It records its orders. */
export interface FakeGarmentChecker extends GarmentChecker {
  /** Sets what it finds in the next orders, one after another. The last one is repeated. */
  find(...findings: FakeFinding[]): void;
  readonly orders: Order[];
}

/** Finds that every garment was kept, until `find` is called. */
export function createFakeGarmentChecker(): FakeGarmentChecker {
  let findings: FakeFinding[] = ['kept'];
  const orders: Order[] = [];
  return {
    orders,
    find(...next) {
      findings = next;
    },
    async check(order, signal) {
      orders.push(order);
      const [finding = 'kept'] = findings.length > 1 ? findings.splice(0, 1) : findings;
      if (finding instanceof Error) throw finding;
      return typeof finding === 'function' ? finding(order, signal) : describeFinding(finding);
    },
  };
}

/** A print that has drifted is seen in the upper left quarter of both pictures. */
export function describeFinding(verdict: GarmentCheck['verdict']): GarmentCheck {
  const quarter = { left: 0, top: 0, right: 0.5, bottom: 0.5 };
  const hasDrifted = verdict === 'drifted';
  return {
    verdict,
    reason: verdict === 'not_comparable' ? 'not_aligned' : null,
    drifts: hasDrifted ? ['print'] : [],
    colourDifference: verdict === 'not_comparable' ? null : 1.2,
    printSimilarity: hasDrifted ? 0.4 : 0.97,
    featureMatches: 40,
    crops: verdict === 'not_comparable' ? null : { source: quarter, result: quarter },
    resultIndex: 0,
  };
}
