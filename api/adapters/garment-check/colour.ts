import type { RgbImage } from '#api/imaging/pixel-image.ts';

/** CIE Lab with the white point D65. */
export type Lab = readonly [lightness: number, a: number, b: number];
/** Linear light of sRGB, 0 to 1. */
export type LinearRgb = readonly [red: number, green: number, blue: number];

const LINEAR = Float32Array.from({ length: 256 }, (_, level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

export function linearAt({ data }: RgbImage, pixel: number): LinearRgb {
  return [LINEAR[data[pixel * 3]!]!, LINEAR[data[pixel * 3 + 1]!]!, LINEAR[data[pixel * 3 + 2]!]!];
}

export function labOf([red, green, blue]: LinearRgb): Lab {
  const x = bend((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
  const y = bend(0.2126729 * red + 0.7151522 * green + 0.072175 * blue);
  const z = bend((0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function bend(value: number): number {
  return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
}

/** Linear light of a Lab colour. It may lie outside 0 to 1. */
export function linearOf([lightness, a, b]: Lab): LinearRgb {
  const middle = (lightness + 16) / 116;
  const x = unbend(middle + a / 500) * 0.95047;
  const y = unbend(middle);
  const z = unbend(middle - b / 200) * 1.08883;
  return [
    3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
    -0.969266 * x + 1.8760108 * y + 0.041556 * z,
    0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
  ];
}

function unbend(value: number): number {
  return value ** 3 > 0.008856 ? value ** 3 : (value - 16 / 116) / 7.787;
}

/** Lab of every pixel, three floats per pixel. */
export function labImage(image: RgbImage): Float32Array {
  const lab = new Float32Array(image.width * image.height * 3);
  for (let pixel = 0; pixel < image.width * image.height; pixel++) lab.set(labOf(linearAt(image, pixel)), pixel * 3);
  return lab;
}

const DEGREE = Math.PI / 180;
/** Weight of lightness. Textile practice halves it, because folds and light change it anyway. */
const LIGHTNESS_WEIGHT = 2;

/** CIEDE2000 with the textile weights 2:1:1 (CIE 142-2001; Sharma, Wu, Dalal 2005). */
export function deltaE2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const chroma7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7;
  const stretch = 1 + 0.5 * (1 - Math.sqrt(chroma7 / (chroma7 + 25 ** 7)));
  const c1 = Math.hypot(a1 * stretch, b1);
  const c2 = Math.hypot(a2 * stretch, b2);
  const h1 = hueOf(a1 * stretch, b1);
  const h2 = hueOf(a2 * stretch, b2);
  const isGrey = c1 * c2 === 0;
  let turn = isGrey ? 0 : h2 - h1;
  if (turn > 180) turn -= 360;
  else if (turn < -180) turn += 360;
  const hue = isGrey ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const lightness = (l1 + l2) / 2;
  const chroma = (c1 + c2) / 2;
  const t =
    1 -
    0.17 * Math.cos((hue - 30) * DEGREE) +
    0.24 * Math.cos(2 * hue * DEGREE) +
    0.32 * Math.cos((3 * hue + 6) * DEGREE) -
    0.2 * Math.cos((4 * hue - 63) * DEGREE);
  const offset = (lightness - 50) ** 2;
  const dl = (l2 - l1) / (LIGHTNESS_WEIGHT * (1 + (0.015 * offset) / Math.sqrt(20 + offset)));
  const dc = (c2 - c1) / (1 + 0.045 * chroma);
  const dh = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * DEGREE)) / (1 + 0.015 * chroma * t);
  const blue = 60 * Math.exp(-(((hue - 275) / 25) ** 2));
  const rotation = -2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)) * Math.sin(blue * DEGREE);
  return Math.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh);
}

function hueOf(a: number, b: number): number {
  const hue = Math.atan2(b, a) / DEGREE;
  return hue < 0 ? hue + 360 : hue;
}
