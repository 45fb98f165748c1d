import type { CutOutVerdict } from './cutout-gate.ts';

/** A rectangle in shares of the photo, 0 to 1. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Segmentation {
  width: number;
  height: number;
  /** 255 for subject. Empty when the ground is not plain. */
  mask: Uint8Array;
  /** 255 for soft shadow beside a trusted subject, at the size of the mask. Null when there is none. */
  shadow: Uint8Array | null;
  verdict: CutOutVerdict;
  isPlainGround: boolean;
  /**
   * Bounds of the mask. If it is not trusted, bounds of everything that stands out. If the ground is not plain, the
   * whole photo.
   */
  subjectBox: Box;
}
