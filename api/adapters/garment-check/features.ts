import type * as OpenCv from '@techstark/opencv-js';
import { loadOpenCv } from '#api/imaging/open-cv.ts';
import type { RgbImage } from '#api/imaging/pixel-image.ts';

/**
 * Local features of a picture: AKAZE, corners and blobs that keep their descriptors in other scales, turns and light.
 */
export interface Features {
  /** x and y in pixels, two floats per feature. */
  points: Float32Array;
  /** Binary descriptors, `DESCRIPTOR_BYTES` bytes per feature. */
  descriptors: Uint8Array;
}

/** The package has the detector, but no type for it. */
interface Akaze {
  setThreshold(threshold: number): void;
  detectAndCompute(
    image: OpenCv.Mat,
    mask: OpenCv.Mat,
    keypoints: OpenCv.KeyPointVector,
    descriptors: OpenCv.Mat,
  ): void;
  delete(): void;
}

const DESCRIPTOR_BYTES = 61;
/** Sensitivity of the detector. Lower finds fainter features, such as seams. */
const RESPONSE = 0.0006;
/** The strongest are kept; more only cost time. */
const MOST_FEATURES = 1000;
/** The best match of a feature is this much closer than the second best. */
const CLEARNESS = 0.82;

/** Detects features, of the source within its mask. `isMirrored`: of the mirrored picture, in its own places. */
export async function detectFeatures(picture: RgbImage, mask?: Uint8Array, isMirrored = false): Promise<Features> {
  const { cv } = await loadOpenCv();
  const { width, height } = picture;
  const colour = cv.matFromArray(height, width, cv.CV_8UC3, picture.data as unknown as number[]);
  const where = mask ? cv.matFromArray(height, width, cv.CV_8UC1, mask as unknown as number[]) : new cv.Mat();
  const grey = new cv.Mat();
  const descriptors = new cv.Mat();
  const keypoints = new cv.KeyPointVector();
  const detector = new (cv as unknown as { AKAZE: new () => Akaze }).AKAZE();
  try {
    cv.cvtColor(colour, grey, cv.COLOR_RGB2GRAY);
    if (isMirrored) cv.flip(grey, grey, 1);
    if (isMirrored && mask) cv.flip(where, where, 1);
    detector.setThreshold(RESPONSE);
    detector.detectAndCompute(grey, where, keypoints, descriptors);
    const found = Array.from({ length: keypoints.size() }, (_, index) => ({ index, ...keypoints.get(index) }));
    found.sort((one, other) => other.response - one.response).splice(MOST_FEATURES);
    const bytes = new Uint8Array(found.length * DESCRIPTOR_BYTES);
    found.forEach(({ index }, at) => {
      const start = index * DESCRIPTOR_BYTES;
      bytes.set(descriptors.data.subarray(start, start + DESCRIPTOR_BYTES), at * DESCRIPTOR_BYTES);
    });
    return { points: Float32Array.from(found.flatMap(({ pt }) => [pt.x, pt.y])), descriptors: bytes };
  } finally {
    for (const owned of [colour, where, grey, descriptors, keypoints, detector]) owned.delete();
  }
}

/** A place of the source and of the result: x, y and x, y. */
export type Pair = readonly [number, number, number, number];

/** Pairs of features whose descriptors are nearest neighbours and pass the ratio test. */
export async function matchFeatures(source: Features, result: Features): Promise<Pair[]> {
  const counts = [source, result].map(({ points }) => points.length / 2);
  if (counts.some((count) => count < 2)) return [];
  const { cv } = await loadOpenCv();
  const [from, to] = [source, result].map(({ descriptors }, index) =>
    cv.matFromArray(counts[index]!, DESCRIPTOR_BYTES, cv.CV_8UC1, descriptors as unknown as number[]),
  ) as [OpenCv.Mat, OpenCv.Mat];
  const matcher = new cv.BFMatcher(cv.NORM_HAMMING, false);
  const found = new cv.DMatchVectorVector();
  try {
    matcher.knnMatch(from, to, found, 2);
    const pairs: Pair[] = [];
    for (let index = 0; index < found.size(); index++) {
      const both = found.get(index);
      const [best, second] = [both.get(0), both.get(1)];
      both.delete();
      if (best.distance >= second.distance * CLEARNESS) continue;
      const [a, b] = [best.queryIdx * 2, best.trainIdx * 2];
      pairs.push([source.points[a]!, source.points[a + 1]!, result.points[b]!, result.points[b + 1]!]);
    }
    return pairs;
  } finally {
    for (const owned of [from, to, matcher, found]) owned.delete();
  }
}
