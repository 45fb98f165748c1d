/** A rectangle in shares of a picture, 0 to 1. */
export interface CropBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface GarmentCheckThresholds {
  /** Mean difference of the garment's colours from which they have drifted, in ΔE2000. */
  colourDifference: number;
  /** Similarity of the print's worst part, 0 to 1, below which it has drifted. */
  printSimilarity: number;
}

/** Why a result says nothing about the garment. */
export type NotComparableReason =
  | 'source_garment_not_found'
  | 'result_garment_not_found'
  | 'not_aligned'
  | 'too_little_shown';

/** Measures are null where there was nothing to measure. */
export interface GarmentCheck {
  verdict: 'kept' | 'drifted' | 'not_comparable';
  reason: NotComparableReason | null;
  drifts: ('colour' | 'print')[];
  /** Mean ΔE2000 over the garment's mask, with the textile weights 2:1:1. */
  colourDifference: number | null;
  /** 1 for an equal print, 0 for another one, a missing or a mirrored one. */
  printSimilarity: number | null;
  /** Local features that agree on where the garment lies in the result. */
  featureMatches: number;
  /** The same part of the garment in both pictures: the one where the print agrees least. Null when not comparable. */
  crops: { source: CropBox; result: CropBox } | null;
  resultIndex: number;
}

/** Compares the garment of a photo with what a generative engine made of it. */
export interface GarmentChecker {
  /**
   * Compares JPEG, PNG or WebP files. Of several results (three frames of a video) the worst that can be compared
   * counts. `not_comparable` when none can. Rejects when a file cannot be read or the signal aborts.
   */
  check(
    order: { source: Uint8Array; results: Uint8Array[]; thresholds: GarmentCheckThresholds },
    signal: AbortSignal,
  ): Promise<GarmentCheck>;
}
