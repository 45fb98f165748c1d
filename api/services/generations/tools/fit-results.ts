import path from 'node:path';
import type { VideoFacts } from '#api/adapters/video-encoder/video-encoder.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Generation } from '#prisma/generated/client.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';

/** Whether this generation's engine leaves the format and the size of its files to us. */
export function needsFitting(
  { engines }: Pick<AppContext, 'engines'>,
  { engine }: Pick<Generation, 'engine'>,
): boolean {
  return engines.find(engine)?.makesFinalFiles === false;
}

/**
 * Brings a video of an engine to the ordered ratio, the size and the format that marketplaces take: H.264 without
 * sound, scaled in proportion and cut, never stretched. Returns the file to store. A video that fits stays as it is.
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
