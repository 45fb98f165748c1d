import sharp from 'sharp';
import { z } from 'zod';
import { drawFakePicture, encodeFakeVideo, type PictureRequest } from './fake-results.ts';

/** The models of the fake: their documented inputs, and what they make of them. */

const prompt = z.string().min(1);
const cfg = z.number().min(0).max(1);
const seed = z.int().optional();
const shortSeconds = z.enum(['5', '10']);

const klingInput = z.strictObject({
  prompt: prompt.max(2500),
  image_url: z.string(),
  duration: shortSeconds.default('5'),
  negative_prompt: z.string().max(2500).optional(),
  cfg_scale: cfg.default(0.5),
  tail_image_url: z.string().optional(),
});
const wanInput = z.strictObject({
  prompt: prompt.max(800),
  image_url: z.string(),
  duration: shortSeconds.default('5'),
  resolution: z.enum(['480p', '720p', '1080p']).default('1080p'),
  negative_prompt: z.string().max(500).optional(),
  enable_prompt_expansion: z.boolean().default(true),
  audio_url: z.string().optional(),
  seed,
});
const seedanceInput = z.strictObject({
  prompt,
  image_url: z.string(),
  end_image_url: z.string().optional(),
  duration: z.enum(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']).default('5'),
  resolution: z.enum(['480p', '720p', '1080p']).default('1080p'),
  aspect_ratio: z.string().default('auto'),
  camera_fixed: z.boolean().default(false),
  enable_safety_checker: z.boolean().default(true),
  seed,
});
const nanoBananaInput = z.strictObject({
  prompt,
  image_urls: z.array(z.string()).min(1),
  num_images: z.int().min(1).max(4).default(1),
  output_format: z.enum(['png', 'jpeg', 'webp']).default('png'),
  aspect_ratio: z
    .enum(['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'])
    .default('auto'),
  safety_tolerance: z.enum(['1', '2', '3', '4', '5', '6']).default('4'),
  limit_generations: z.boolean().default(false),
  sync_mode: z.boolean().default(false),
  seed,
});
const seedreamInput = z.strictObject({
  prompt,
  image_urls: z.array(z.string()).min(1),
  image_size: z
    .union([
      z.enum(['square_hd', 'square', 'portrait_4_3', 'portrait_16_9', 'landscape_4_3', 'landscape_16_9', 'auto']),
      z.strictObject({ width: z.int().min(1024).max(4096), height: z.int().min(1024).max(4096) }),
    ])
    .default('auto'),
  num_images: z.int().min(1).max(6).default(1),
  max_images: z.int().min(1).max(6).default(1),
  enable_safety_checker: z.boolean().default(true),
  sync_mode: z.boolean().default(false),
  seed,
});

const nanoBananaTextInput = nanoBananaInput.omit({ image_urls: true });
const seedreamTextInput = seedreamInput.omit({ image_urls: true });
const fashnInput = z.strictObject({
  model_image: z.string(),
  garment_image: z.string(),
  category: z.enum(['tops', 'bottoms', 'one-pieces', 'auto']).default('auto'),
  mode: z.enum(['performance', 'balanced', 'quality']).default('balanced'),
  garment_photo_type: z.enum(['auto', 'model', 'flat-lay']).default('auto'),
  moderation_level: z.enum(['none', 'permissive', 'conservative']).default('permissive'),
  num_samples: z.int().min(1).max(4).default(1),
  segmentation_free: z.boolean().default(true),
  output_format: z.enum(['png', 'jpeg']).default('png'),
  sync_mode: z.boolean().default(false),
  seed,
});

/** What a job of a model needs and makes, known when its input was accepted. */
export interface FakeFalWork {
  pictureUrls: string[];
  files: { contentType: string; name: string; draw: (pictures: Buffer[]) => Promise<Buffer> }[];
  /** The body of the result. `files` have their addresses by then. */
  describe: (files: FakeFalFile[]) => object;
}

export interface FakeFalFile {
  url: string;
  content_type: string;
  file_name: string;
  file_size: number;
}

/** An input that does not fit, in the words of the provider. */
export class FakeFalInputError extends Error {
  readonly detail: object[];
  constructor(detail: object[]) {
    super('the input does not fit the model');
    this.name = 'FakeFalInputError';
    this.detail = detail;
  }
}

type Model = (input: unknown) => FakeFalWork;

const video =
  (schema: typeof klingInput | typeof wanInput | typeof seedanceInput): Model =>
  (input) => {
    const { image_url, duration } = parseInput(schema, input);
    const draw = ([picture]: Buffer[]) => encodeFakeVideo(picture ?? Buffer.alloc(0), Number(duration));
    return {
      pictureUrls: [image_url],
      files: [{ contentType: 'video/mp4', name: 'output.mp4', draw }],
      describe: ([file]) => ({ video: file }),
    };
  };

function pictures(urls: string[], count: number, request: PictureRequest): FakeFalWork {
  return {
    pictureUrls: urls,
    files: Array.from({ length: count }, (_, index) => ({
      contentType: `image/${request.format}`,
      name: `output-${index}.${request.format}`,
      draw: (inputs) => drawFakePicture(inputs, { ...request, prompt: `${request.prompt} ${index}` }),
    })),
    describe: (images) => ({
      images: images.map((image) => ({ ...image, width: request.width, height: request.height })),
    }),
  };
}

function measure(size: z.output<typeof seedreamInput>['image_size']): { width: number; height: number } {
  return typeof size === 'string' ? { width: 2048, height: 2048 } : size;
}

export const FAKE_FAL_MODELS: Readonly<Record<string, Model>> = {
  'fal-ai/kling-video/v2.5-turbo/pro/image-to-video': video(klingInput),
  'fal-ai/kling-video/v2.5-turbo/standard/image-to-video': video(klingInput),
  'fal-ai/wan-25-preview/image-to-video': video(wanInput),
  'fal-ai/bytedance/seedance/v1/pro/image-to-video': video(seedanceInput),
  'fal-ai/nano-banana/edit': (input) => {
    const { image_urls, num_images, output_format, prompt } = parseInput(nanoBananaInput, input);
    return pictures(image_urls, num_images, { prompt, format: output_format, width: 864, height: 1184 });
  },
  'fal-ai/nano-banana': (input) => {
    const { num_images, output_format, prompt } = parseInput(nanoBananaTextInput, input);
    return pictures([], num_images, { prompt, format: output_format, width: 864, height: 1184 });
  },
  'fal-ai/bytedance/seedream/v4/text-to-image': (input) => {
    const { num_images, image_size, prompt } = parseInput(seedreamTextInput, input);
    return pictures([], num_images, { prompt, format: 'jpeg', ...measure(image_size) });
  },
  'fal-ai/bytedance/seedream/v4/edit': (input) => {
    const { image_urls, num_images, image_size, prompt } = parseInput(seedreamInput, input);
    // The last ten are used, as documented.
    return pictures(image_urls.slice(-10), num_images, { prompt, format: 'jpeg', ...measure(image_size) });
  },
  'fal-ai/fashn/tryon/v1.6': (input) => {
    const { model_image, garment_image, category, num_samples, output_format } = parseInput(fashnInput, input);
    const size = { width: 864, height: 1296 };
    return pictures([model_image, garment_image], num_samples, { prompt: category, format: output_format, ...size });
  },
};

function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new FakeFalInputError(
    parsed.error.issues.flatMap((issue) => {
      const describe = (name: string | undefined, type: string) => ({
        loc: ['body', ...issue.path, ...(name ? [name] : [])],
        msg: issue.message,
        type,
        url: `https://docs.fal.ai/errors#${type}`,
      });
      if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => describe(key, 'value_error.extra'));
      const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
      return [describe(undefined, isMissing ? 'value_error.missing' : 'value_error')];
    }),
  );
}

/** Throws FakeFalInputError when the bytes are no picture that a model can read. */
export async function assertPicture(content: Buffer | undefined, url: string): Promise<Buffer> {
  const refuse = (type: string, msg: string) =>
    new FakeFalInputError([{ loc: ['body', 'image_url'], msg, type, ctx: {}, input: url }]);
  if (!content) throw refuse('file_download_error', 'Failed to download the file');
  const metadata = await sharp(content)
    .metadata()
    .catch(() => null);
  if (!metadata) throw refuse('image_load_error', 'Could not load the image');
  if (Math.min(metadata.width, metadata.height) < 300) throw refuse('image_too_small', 'The image is too small');
  return content;
}
