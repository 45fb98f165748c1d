import sharp from 'sharp';
import { createEncoder } from './create-encoder.ts';
import type { Posters, TransformRequest, VideoFacts } from './video-encoder.ts';

// What the encoder does, for another process.

/** One thread per picture and no cache, because the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);

interface Input {
  encoder: string;
  inputPath: string;
}

/** Loads what the first call would have to. */
export async function load({ encoder }: Pick<Input, 'encoder'>): Promise<void> {
  await createEncoder(encoder);
}

export async function addWatermark({ encoder, ...request }: Input & { outputPath: string }): Promise<void> {
  await (await createEncoder(encoder)).addWatermark(request);
}

export async function transform({ encoder, ...request }: Input & Omit<TransformRequest, 'signal'>): Promise<void> {
  await (await createEncoder(encoder)).transform(request);
}

export async function readFrames({
  encoder,
  inputPath,
  atSeconds,
}: Input & { atSeconds: readonly number[] }): Promise<Buffer[]> {
  return (await createEncoder(encoder)).readFrames(inputPath, atSeconds);
}

export async function readFirstFrame({ encoder, inputPath }: Input): Promise<Buffer> {
  return (await createEncoder(encoder)).readFirstFrame(inputPath);
}

export async function makePosters({ encoder, inputPath }: Input): Promise<Posters> {
  return (await createEncoder(encoder)).makePosters(inputPath);
}

export async function probe({ encoder, inputPath }: Input): Promise<VideoFacts> {
  return (await createEncoder(encoder)).probe(inputPath);
}
