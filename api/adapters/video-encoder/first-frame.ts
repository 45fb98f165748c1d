import sharp from 'sharp';

/** A decoded frame as PNG; `pixels` are RGB, three bytes each. */
export async function readFirstFrameAsPng(
  decode: () => Promise<{ width: number; height: number; pixels: Buffer }>,
): Promise<Buffer> {
  const { width, height, pixels } = await decode();
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 4 })
    .toBuffer();
}
