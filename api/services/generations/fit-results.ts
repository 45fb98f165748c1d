import path from 'node:path';
import sharp from 'sharp';
import type { VideoFacts } from '#api/adapters/video-encoder/video-encoder.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';

/** The ratio of a card on every marketplace. */
const CARD_RATIO = 3 / 4;
/** The least size of a card, and the size that smaller pictures are enlarged to, in pixels. */
const CARD_MIN = { width: 900, height: 1200 };
const CARD_SIZE = { width: 1200, height: 1600 };
/** A picture that would lose a larger share of its area is padded instead of cut. */
const MAX_CUT_SHARE = 0.1;
/** Beyond one pixel of rounding a ratio is another one. */
const SAME_RATIO = 0.005;

/** Whether this generation's engine leaves the format and the size of its files to us. */
export function needsFitting(
  { engines }: Pick<AppContext, 'engines'>,
  { engine }: Pick<Generation, 'engine'>,
): boolean {
  return engines.find(engine)?.makesFinalFiles === false;
}

/**
 * Brings a video of an engine to the ordered ratio, the size and the format that marketplaces take: H.264 without sound,
 * scaled in proportion and cut, never stretched. Returns the file to store. A video that fits stays as it is.
 */
export async function fitVideo(
  app: Pick<AppContext, 'videoEncoder'>,
  { settings }: Pick<Generation, 'settings'>,
  original: { file: string; facts: VideoFacts },
  signal: AbortSignal,
): Promise<{ file: string; facts: VideoFacts }> {
  const size = VIDEO_FRAME_SIZES[videoSettings.parse(settings).aspectRatio];
  if (fitsCard(original.facts, size)) return original;
  const file = path.join(path.dirname(original.file), 'fitted.mp4');
  await app.videoEncoder.transform({
    inputPath: original.file,
    outputPath: file,
    change: { kind: 'fit', ...size },
    signal,
  });
  return { file, facts: await app.videoEncoder.probe(file, signal) };
}

function fitsCard(facts: VideoFacts, { width, height }: { width: number; height: number }): boolean {
  const isPlain = facts.codec === 'h264' && facts.pixelFormat === 'yuv420p' && !facts.hasAudio && facts.isFaststart;
  const isSmooth = facts.framesPerSecond >= 23.9 && facts.framesPerSecond <= 30.1;
  return isPlain && isSmooth && facts.width === width && facts.height === height;
}

/**
 * Brings a picture of an engine to the ratio of a card and at least its least size. A little is cut off; a picture of
 * quite another ratio is padded with the colour of its edge. It is never stretched.
 */
export async function fitPicture(picture: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const ratio = width / height;
  const isCard = Math.abs(ratio / CARD_RATIO - 1) <= SAME_RATIO;
  if (isCard && width >= CARD_MIN.width && height >= CARD_MIN.height) return picture;
  const kept = Math.min(ratio / CARD_RATIO, CARD_RATIO / ratio);
  const isCut = 1 - kept <= MAX_CUT_SHARE;
  const framed = frameOf({ width, height }, isCut);
  const isSmall = framed.width < CARD_MIN.width || framed.height < CARD_MIN.height;
  return sharp(picture)
    .resize({
      ...(isSmall ? CARD_SIZE : framed),
      fit: isCut ? 'cover' : 'contain',
      kernel: 'lanczos3',
      ...(isCut ? {} : { background: await findEdgeColour(picture) }),
    })
    .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** The frame of a card around the picture, or within it. */
function frameOf({ width, height }: { width: number; height: number }, isWithin: boolean) {
  const isWide = width / height > CARD_RATIO;
  // Within a wide picture the height decides, and around it the width does.
  return isWide === isWithin
    ? { width: Math.round(height * CARD_RATIO), height }
    : { width, height: Math.round(width / CARD_RATIO) };
}

/** The mean colour along the picture's edge. */
async function findEdgeColour(picture: Buffer): Promise<{ r: number; g: number; b: number }> {
  const side = 64;
  const small = await sharp(picture).resize(side, side, { fit: 'fill' }).removeAlpha().png().toBuffer();
  const strips = [
    { left: 0, top: 0, width: side, height: 1 },
    { left: 0, top: side - 1, width: side, height: 1 },
    { left: 0, top: 0, width: 1, height: side },
    { left: side - 1, top: 0, width: 1, height: side },
  ];
  const means = await Promise.all(
    strips.map(async (strip) => (await sharp(await sharp(small).extract(strip).toBuffer()).stats()).channels),
  );
  const meanOf = (channel: number) =>
    Math.round(means.reduce((sum, channels) => sum + (channels[channel]?.mean ?? 0), 0) / means.length);
  return { r: meanOf(0), g: meanOf(1), b: meanOf(2) };
}
