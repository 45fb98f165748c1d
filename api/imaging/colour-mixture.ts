const COMPONENTS = 5;
const ROUNDS = 4;
/** Added to the variance of a component without any, in levels squared. */
const LEAST_VARIANCE = 0.01;
/** Per component: sums of the three channels, of their six products, and the number of pixels. */
const SUMS = 10;
/** Per component: mean (3), inverse covariance (6), logarithm of the peak of its density, weight. */
const PARTS = 11;

/** A Gaussian mixture that describes the colours of pixels, as in GrabCut (Rother et al., SIGGRAPH 2004). */
export class ColourMixture {
  readonly #parts = new Float64Array(COMPONENTS * PARTS);

  /** `data`: RGB. `pixels`: those that are described. */
  constructor(data: Uint8Array, pixels: Int32Array) {
    this.#fit(data, pixels, cluster(data, pixels));
  }

  /** Fits the components to other pixels: each pixel to the component in which it is most likely. */
  learn(data: Uint8Array, pixels: Int32Array): void {
    const components = new Uint8Array(pixels.length);
    for (let i = 0; i < pixels.length; i++) {
      const at = pixels[i]! * 3;
      let best = Number.NEGATIVE_INFINITY;
      for (let component = 0; component < COMPONENTS; component++) {
        const likelihood = this.#logDensity(component, data[at]!, data[at + 1]!, data[at + 2]!);
        if (likelihood <= best) continue;
        best = likelihood;
        components[i] = component;
      }
    }
    this.#fit(data, pixels, components);
  }

  /** -log of the density at a colour. */
  costOf(red: number, green: number, blue: number): number {
    let density = 0;
    for (let component = 0; component < COMPONENTS; component++) {
      const weight = this.#parts[component * PARTS + 10]!;
      if (weight > 0) density += weight * Math.exp(this.#logDensity(component, red, green, blue));
    }
    // A cost has to be finite: the cut would never end with one that is not.
    return -Math.log(Math.min(Number.MAX_VALUE, Math.max(density, Number.MIN_VALUE)));
  }

  #logDensity(component: number, red: number, green: number, blue: number): number {
    const p = this.#parts;
    const at = component * PARTS;
    if (p[at + 10] === 0) return Number.NEGATIVE_INFINITY;
    const r = red - p[at]!;
    const g = green - p[at + 1]!;
    const b = blue - p[at + 2]!;
    const across = r * (p[at + 3]! * r + 2 * (p[at + 4]! * g + p[at + 5]! * b));
    return p[at + 9]! - 0.5 * (across + g * (p[at + 6]! * g + 2 * p[at + 7]! * b) + p[at + 8]! * b * b);
  }

  #fit(data: Uint8Array, pixels: Int32Array, components: Uint8Array): void {
    const sums = new Float64Array(COMPONENTS * SUMS);
    for (let i = 0; i < pixels.length; i++) {
      const at = pixels[i]! * 3;
      const to = components[i]! * SUMS;
      const r = data[at]!;
      const g = data[at + 1]!;
      const b = data[at + 2]!;
      sums[to]! += r;
      sums[to + 1]! += g;
      sums[to + 2]! += b;
      sums[to + 3]! += r * r;
      sums[to + 4]! += r * g;
      sums[to + 5]! += r * b;
      sums[to + 6]! += g * g;
      sums[to + 7]! += g * b;
      sums[to + 8]! += b * b;
      sums[to + 9]!++;
    }
    for (let component = 0; component < COMPONENTS; component++) {
      const own = sums.subarray(component * SUMS, (component + 1) * SUMS);
      this.#parts.set(describe(own, pixels.length), component * PARTS);
    }
  }
}

function describe(sums: Float64Array, total: number): number[] {
  const count = sums[9]!;
  if (count === 0) return new Array<number>(PARTS).fill(0);
  const [r, g, b] = [sums[0]! / count, sums[1]! / count, sums[2]! / count];
  let rr = sums[3]! / count - r * r;
  const rg = sums[4]! / count - r * g;
  const rb = sums[5]! / count - r * b;
  let gg = sums[6]! / count - g * g;
  const gb = sums[7]! / count - g * b;
  let bb = sums[8]! / count - b * b;
  const determine = () => rr * (gg * bb - gb * gb) - rg * (rg * bb - gb * rb) + rb * (rg * gb - gg * rb);
  if (determine() <= 1e-6) {
    rr += LEAST_VARIANCE;
    gg += LEAST_VARIANCE;
    bb += LEAST_VARIANCE;
  }
  const d = determine();
  return [
    r,
    g,
    b,
    (gg * bb - gb * gb) / d,
    (gb * rb - rg * bb) / d,
    (rg * gb - gg * rb) / d,
    (rr * bb - rb * rb) / d,
    (rg * rb - rr * gb) / d,
    (rr * gg - rg * rg) / d,
    -0.5 * Math.log(d),
    count / total,
  ];
}

/**
 * Divides pixels into clusters of similar colours: splits the widest cluster again and again, then improves all by
 * k-means. Nothing is random, so the same photo always gives the same cut-out.
 */
function cluster(data: Uint8Array, pixels: Int32Array): Uint8Array {
  const clusters = new Uint8Array(pixels.length);
  for (let count = 1; count < COMPONENTS; count++) split(data, pixels, clusters, count);
  for (let round = 0; round < ROUNDS; round++) {
    const { means } = measureClusters(data, pixels, clusters, COMPONENTS);
    for (let i = 0; i < pixels.length; i++) {
      const at = pixels[i]! * 3;
      let nearest = Number.POSITIVE_INFINITY;
      for (let c = 0; c < COMPONENTS; c++) {
        const r = data[at]! - means[c * 3]!;
        const g = data[at + 1]! - means[c * 3 + 1]!;
        const b = data[at + 2]! - means[c * 3 + 2]!;
        const distance = r * r + g * g + b * b;
        // False for a cluster without a mean.
        if (!(distance < nearest)) continue;
        nearest = distance;
        clusters[i] = c;
      }
    }
  }
  return clusters;
}

/** Splits the widest cluster at its mean, in the channel in which it is widest. */
function split(data: Uint8Array, pixels: Int32Array, clusters: Uint8Array, count: number): void {
  const { means, spreads } = measureClusters(data, pixels, clusters, count);
  const widest = spreads.indexOf(Math.max(...spreads));
  const [own, channel] = [Math.floor(widest / 3), widest % 3];
  for (let i = 0; i < pixels.length; i++) {
    if (clusters[i] === own && data[pixels[i]! * 3 + channel]! > means[widest]!) clusters[i] = count;
  }
}

/** Means and sums of squared deviations, three channels per cluster. A cluster without pixels has no mean. */
function measureClusters(data: Uint8Array, pixels: Int32Array, clusters: Uint8Array, count: number) {
  const counts = new Float64Array(count);
  const sums = new Float64Array(count * 3);
  const squares = new Float64Array(count * 3);
  for (let i = 0; i < pixels.length; i++) {
    const at = pixels[i]! * 3;
    const to = clusters[i]! * 3;
    counts[clusters[i]!]!++;
    for (let c = 0; c < 3; c++) {
      const value = data[at + c]!;
      sums[to + c]! += value;
      squares[to + c]! += value * value;
    }
  }
  const means = sums.map((sum, i) => sum / counts[Math.floor(i / 3)]!);
  const spreads = squares.map((sum, i) => (counts[Math.floor(i / 3)]! > 0 ? sum - means[i]! * sums[i]! : 0));
  return { means, spreads };
}
