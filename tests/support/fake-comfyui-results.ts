import sharp from 'sharp';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';
import type { FakeNode, FakeWorkflow } from './fake-comfyui-nodes.ts';

export interface FakeResult {
  /** By output node, as the history shows them. */
  outputs: Record<string, Record<string, unknown>>;
  /** By subfolder and name. */
  files: Map<string, Buffer>;
}

/** Videos are made at this share of the ordered size, because encoding takes time. */
const VIDEO_SCALE = 1 / 4;

/** Real files: the first uploaded picture in the ordered size and other colours, or a video of the ordered length. */
export async function makeResult(
  job: { workflow: FakeWorkflow; outputs: readonly string[] },
  uploads: ReadonlyMap<string, Buffer>,
): Promise<FakeResult> {
  const { workflow } = job;
  const result: FakeResult = { outputs: {}, files: new Map() };
  for (const id of job.outputs) {
    const node = workflow[id];
    if (node) await makeOutput(id, node, workflow, uploads, result);
  }
  return result;
}

async function makeOutput(
  id: string,
  { class_type, inputs }: FakeNode,
  workflow: FakeWorkflow,
  uploads: ReadonlyMap<string, Buffer>,
  { outputs, files }: FakeResult,
): Promise<void> {
  const parts = String(inputs.filename_prefix ?? 'ComfyUI_temp').split('/');
  const name = parts.pop() ?? '';
  const subfolder = parts.join('/');
  const save = (extension: string, content: Buffer, type: string) => {
    const filename = `${name}_00001_.${extension}`;
    if (type === 'output') files.set([subfolder, filename].filter(Boolean).join('/'), content);
    return { filename, subfolder, type };
  };
  switch (class_type) {
    case 'SaveVideo':
      outputs[id] = { images: [save('mp4', await drawVideo(workflow), 'output')], animated: [true] };
      return;
    case 'VHS_VideoCombine': {
      const file = save('mp4', await drawVideo(workflow), 'output');
      outputs[id] = {
        gifs: [{ ...file, format: 'video/h264-mp4', frame_rate: 16, fullpath: `/srv/output/${file.filename}` }],
      };
      return;
    }
    default:
      outputs[id] = {
        images: [save('png', await drawPicture(workflow, uploads), class_type === 'PreviewImage' ? 'temp' : 'output')],
      };
  }
}

async function drawPicture(workflow: FakeWorkflow, uploads: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const { width, height } = findSize(workflow) ?? { width: 512, height: 512 };
  const loader = Object.values(workflow).find(({ class_type }) => class_type === 'LoadImage');
  const photo = uploads.get(String(loader?.inputs.image));
  const picture = photo
    ? sharp(photo).resize(width, height, { fit: 'cover' }).modulate({ hue: 20 })
    : sharp({ create: { width, height, channels: 3, background: '#7a8b99' } });
  // The server embeds the workflow in its files.
  return picture
    .withExif({ IFD0: { ImageDescription: JSON.stringify(workflow) } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

async function drawVideo(workflow: FakeWorkflow): Promise<Buffer> {
  const { width, height } = findSize(workflow) ?? { width: 512, height: 512 };
  const nodes = Object.values(workflow);
  const length = Number(nodes.find(({ inputs }) => 'length' in inputs)?.inputs.length ?? 81);
  const rated = nodes.find(({ inputs }) => 'fps' in inputs || 'frame_rate' in inputs);
  const framesPerSecond = Number(rated?.inputs.fps ?? rated?.inputs.frame_rate ?? 16);
  const size = { width: toEven(width * VIDEO_SCALE), height: toEven(height * VIDEO_SCALE) };
  const { content } = await drawTestVideo({ ...size, seconds: length / framesPerSecond });
  return content;
}

function toEven(pixels: number): number {
  return 2 * Math.round(pixels / 2);
}

function findSize(workflow: FakeWorkflow): { width: number; height: number } | null {
  const inputs = Object.values(workflow).find(({ inputs }) => typeof inputs.width === 'number')?.inputs;
  return inputs ? { width: Number(inputs.width), height: Number(inputs.height) } : null;
}
