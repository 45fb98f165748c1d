import { type FileHandle, open } from 'node:fs/promises';
import type { VideoFacts } from './video-encoder.ts';

interface Box {
  type: string;
  /** Bounds of the box's content, in bytes. */
  start: number;
  end: number;
}

const CODECS: Record<string, string> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  vp09: 'vp9',
  av01: 'av1',
};
/** H.264 profiles that are 8-bit 4:2:0 by definition: Baseline, Main, Extended, High. */
const PLAIN_H264_PROFILES = [66, 77, 88, 100];
const MAX_MOOV_BYTES = 32 * 1024 * 1024;

/**
 * Reads facts about a video from the boxes of an MP4 file, without FFmpeg (ISO/IEC 14496-12). Throws when the file is
 * no MP4, has no video, or has no index because it was cut off while being written.
 */
export async function readVideoFacts(path: string): Promise<VideoFacts> {
  const file = await open(path);
  try {
    const { size: bytes } = await file.stat();
    const boxes = await listFileBoxes(file, bytes);
    const moov = boxes.find((box) => box.type === 'moov');
    const mdat = boxes.find((box) => box.type === 'mdat');
    if (!moov || !mdat || boxes[0]?.type !== 'ftyp') throw new Error('not a complete MP4 file');
    if (moov.end - moov.start > MAX_MOOV_BYTES || boxes.some((box) => box.end > bytes))
      throw new Error('the MP4 file is cut off');
    const index = Buffer.alloc(moov.end - moov.start);
    await file.read(index, 0, index.length, moov.start);
    return { ...readVideoTrack(index), bytes, isFaststart: moov.start < mdat.start };
  } finally {
    await file.close();
  }
}

async function listFileBoxes(file: FileHandle, size: number): Promise<Box[]> {
  const boxes: Box[] = [];
  const header = Buffer.alloc(16);
  for (let at = 0; at + 8 <= size; ) {
    await file.read(header, 0, 16, at);
    const box = readBoxHeader(header, 0, at, size);
    if (box.end <= at) throw new Error('not an MP4 file');
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** A size of 1 means that a 64-bit size follows. 0 means that the box extends to the end of the file. */
function readBoxHeader(buffer: Buffer, offset: number, position: number, limit: number): Box {
  const short = buffer.readUInt32BE(offset);
  const type = buffer.toString('latin1', offset + 4, offset + 8);
  if (short === 1) return { type, start: position + 16, end: position + Number(buffer.readBigUInt64BE(offset + 8)) };
  return { type, start: position + 8, end: short === 0 ? limit : position + short };
}

function listBoxes(buffer: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const box = readBoxHeader(buffer, at, at, end);
    if (box.end <= at || box.end > end) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

function findBox(buffer: Buffer, within: Box, ...path: string[]): Box | undefined {
  let current: Box | undefined = within;
  for (const type of path) {
    if (!current) return undefined;
    current = listBoxes(buffer, current.start, current.end).find((box) => box.type === type);
  }
  return current;
}

function readVideoTrack(index: Buffer): Omit<VideoFacts, 'bytes' | 'isFaststart'> {
  const tracks = listBoxes(index, 0, index.length).filter((box) => box.type === 'trak');
  const typeOf = (track: Box) => {
    const handler = findBox(index, track, 'mdia', 'hdlr');
    return handler ? index.toString('latin1', handler.start + 8, handler.start + 12) : null;
  };
  const hasAudio = tracks.some((track) => typeOf(track) === 'soun');
  for (const track of tracks) {
    if (typeOf(track) !== 'vide') continue;
    const header = findBox(index, track, 'mdia', 'mdhd');
    const samples = findBox(index, track, 'mdia', 'minf', 'stbl', 'stts');
    const descriptions = findBox(index, track, 'mdia', 'minf', 'stbl', 'stsd');
    if (!header || !samples || !descriptions) break;
    const isLong = index[header.start] === 1;
    const timescale = index.readUInt32BE(header.start + (isLong ? 20 : 12));
    const { frames, ticks } = countSamples(index, samples);
    if (frames === 0 || ticks === 0) break;
    return {
      ...readDescription(index, descriptions),
      framesPerSecond: (frames * timescale) / ticks,
      durationSeconds: ticks / timescale,
      hasAudio,
    };
  }
  throw new Error('the MP4 file holds no video');
}

function countSamples(index: Buffer, { start, end }: Box): { frames: number; ticks: number } {
  let frames = 0;
  let ticks = 0;
  const entries = index.readUInt32BE(start + 4);
  for (let entry = 0, at = start + 8; entry < entries && at + 8 <= end; entry++, at += 8) {
    const count = index.readUInt32BE(at);
    frames += count;
    ticks += count * index.readUInt32BE(at + 4);
  }
  return { frames, ticks };
}

function readDescription(
  index: Buffer,
  descriptions: Box,
): Pick<VideoFacts, 'codec' | 'pixelFormat' | 'width' | 'height'> {
  const [entry] = listBoxes(index, descriptions.start + 8, descriptions.end);
  if (!entry) throw new Error('the MP4 file does not describe its video');
  const codec = CODECS[entry.type] ?? entry.type;
  // A visual sample entry has 78 bytes of fixed fields before the boxes of its codec.
  const configuration = findBox(index, { type: entry.type, start: entry.start + 78, end: entry.end }, 'avcC');
  const profile = configuration ? index.readUInt8(configuration.start + 1) : 0;
  return {
    codec,
    pixelFormat: PLAIN_H264_PROFILES.includes(profile) ? 'yuv420p' : 'unknown',
    width: index.readUInt16BE(entry.start + 24),
    height: index.readUInt16BE(entry.start + 26),
  };
}
