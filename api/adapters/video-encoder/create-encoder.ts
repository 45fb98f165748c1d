import type { FrameEncoder, VideoEncoder } from './video-encoder.ts';

/**
 * The encoder of this name in VIDEO_ENCODER: `node-av`, or an FFmpeg. It works in this process, so call it in another.
 */
export async function createEncoder(name: string): Promise<VideoEncoder & FrameEncoder> {
  if (name !== 'node-av') return (await import('./ffmpeg-encoder.ts')).createFfmpegEncoder(name);
  return (await import('./node-av-encoder.ts')).createNodeAvEncoder();
}
