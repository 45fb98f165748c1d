import type { TryOnOrder, VideoOrder } from '#api/adapters/generation-engines/generation-engine.ts';
import type { Prompt, PromptLimits } from '#api/adapters/generation-engines/prompts.ts';
import type { FrameSize } from '#api/imaging/pixel-image.ts';

/** Models of one family take the same inputs. Their ids and prices are in the table of models. */
interface Family<Order> {
  limits: PromptLimits;
  /** The inputs of a run. `urls`: addresses of the pictures, in the sequence of the words. */
  write(words: Prompt, urls: readonly string[], order: Order): Record<string, unknown>;
}

/** Every family takes this many characters where its limit is not documented. */
const TEXT = 2500;

/** Picture to video. The result has the ratio of the picture. */
export const VIDEO_FAMILIES = {
  /** kling-video v2.5-turbo. */
  kling: {
    limits: { text: 2500, negative: 2500 },
    write: (words, [image_url], { durationSeconds, cfgScale }) => ({
      prompt: words.text,
      negative_prompt: words.negative,
      image_url,
      duration: `${durationSeconds}`,
      cfg_scale: cfgScale,
    }),
  },
  /** wan-25-preview. A rewritten prompt would lose what is said about the garment. */
  wan: {
    limits: { text: 800, negative: 500 },
    write: (words, [image_url], { durationSeconds }) => ({
      prompt: words.text,
      negative_prompt: words.negative,
      image_url,
      duration: `${durationSeconds}`,
      resolution: '1080p',
      enable_prompt_expansion: false,
    }),
  },
  /** bytedance/seedance v1. */
  seedance: {
    limits: { text: TEXT, negative: 0 },
    write: (words, [image_url], { durationSeconds }) => ({
      prompt: words.text,
      image_url,
      duration: `${durationSeconds}`,
      resolution: '1080p',
      aspect_ratio: 'auto',
    }),
  },
} satisfies Record<string, Family<VideoOrder>>;

/** The size of pictures for product pages, 3:4. */
const PICTURE: FrameSize = { width: 1536, height: 2048 };

const describeNanoBanana = (prompt: string) => ({
  prompt,
  num_images: 1,
  aspect_ratio: '3:4',
  output_format: 'png',
});
const describeSeedream = (prompt: string) => ({ prompt, num_images: 1, image_size: PICTURE });

/** Several pictures to one. */
export const PICTURE_FAMILIES = {
  /** nano-banana/edit. Its pictures of 3:4 are 864 pixels wide. */
  'nano-banana': {
    limits: { text: TEXT, negative: 0 },
    write: ({ text }, urls) => ({ ...describeNanoBanana(text), image_urls: urls }),
  },
  /** bytedance/seedream v4 edit. */
  seedream: {
    limits: { text: TEXT, negative: 0 },
    write: ({ text }, urls) => ({ ...describeSeedream(text), image_urls: urls }),
  },
} satisfies Record<string, Family<unknown>>;

/** Words to one picture. */
export const TEXT_FAMILIES = {
  'nano-banana': describeNanoBanana,
  /** bytedance/seedream v4 text-to-image. */
  seedream: describeSeedream,
} satisfies Record<string, (prompt: string) => object>;

/** The person of the first picture in the garment of the second. */
export const TRY_ON_FAMILIES = {
  /** fashn/tryon v1.6. It reads no words. */
  fashn: {
    limits: { text: TEXT, negative: 0 },
    write: (_words, [model_image, garment_image], { category }) => ({
      model_image,
      garment_image,
      category,
      mode: 'quality',
      num_samples: 1,
      output_format: 'png',
    }),
  },
  ...PICTURE_FAMILIES,
} satisfies Record<string, Family<TryOnOrder>>;

export type TextFamily = keyof typeof TEXT_FAMILIES;
export type TryOnFamily = keyof typeof TRY_ON_FAMILIES;
export type VideoFamily = keyof typeof VIDEO_FAMILIES;
export type PictureFamily = keyof typeof PICTURE_FAMILIES;
