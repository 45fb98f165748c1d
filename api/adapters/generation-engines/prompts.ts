import type { GarmentCategory } from '#shared/rules/garments.ts';
import {
  type AspectRatio,
  DEFAULT_NEGATIVE_PROMPT,
  type MotionPreset,
  PRESET_PROMPTS,
  type ProductCategory,
} from '#shared/rules/motion-presets.ts';
import { PERSONAL_WORDS, WHITE_SPACE } from '#shared/rules/outside-text.ts';
import type { VideoSeconds } from '#shared/rules/prices.ts';
import type { GenerationOrder, ModelChangeOrder, OpenPhoto, TryOnOrder, VideoOrder } from './generation-engine.ts';

/** One picture that goes to a model with the prompt. `model`: whoever wears the product in the result. */
export interface InputPicture {
  shows: 'product' | 'model' | 'background';
  open: OpenPhoto;
}

/** The pictures of an order in the sequence in which prompts number them, from «Picture 1». */
export function listPictures(order: GenerationOrder): InputPicture[] {
  const product: InputPicture = { shows: 'product', open: order.photos.subject };
  // Models edit the first picture, and a try-on keeps all of it but the clothes.
  if (order.kind === 'try_on') return [{ shows: 'model', open: order.photos.person }, product];
  const pictures = [product];
  if (order.kind !== 'model_change') return pictures;
  if (order.model) pictures.push({ shows: 'model', open: order.model.openImage });
  if (order.background) pictures.push({ shows: 'background', open: order.background.openImage });
  return pictures;
}

export interface PromptLimits {
  text: number;
  /** 0 for a model without a negative prompt. Then the text says in positive words what to avoid. */
  negative: number;
}

export interface Prompt {
  text: string;
  /** Empty for a model without a negative prompt. */
  negative: string;
}

/** Turns one output of an order into words for a generative model. `position`: which output, from 0. */
export function writePrompt(order: GenerationOrder, position: number, limits: PromptLimits): Prompt {
  const avoided = splitTerms(order.kind === 'video' ? order.negativePrompt : DEFAULT_NEGATIVE_PROMPT);
  const { own, rules } = describe(order, position);
  const known = limits.negative > 0 ? [] : avoided.flatMap((term) => TERMS[term]?.wanted ?? []);
  const lasting = [...rules, ...(known.length > 0 ? [`Show ${joinWords(known)}.`] : [])].join(' ');
  const room = limits.text - lasting.length - 1;
  const text = own === null ? lasting : `${shorten(own, room, ' ')} ${lasting}`.trim();
  if (limits.negative > 0) {
    const negative = avoided.map((term) => TERMS[term]?.unwanted ?? term).join(', ');
    return { text, negative: shorten(negative, limits.negative, ',') };
  }
  const others = avoided.filter((term) => !TERMS[term]);
  const advice = others.length > 0 ? ` Avoid ${others.join(', ')}.` : '';
  return { text: text.length + advice.length <= limits.text ? text + advice : text, negative: '' };
}

/** `own`: the person's words, which may be shortened. `rules`: sentences that every prompt needs. */
function describe(order: GenerationOrder, position: number): { own: string | null; rules: string[] } {
  switch (order.kind) {
    case 'video':
      return describeVideo(order);
    case 'model_change':
      return { own: null, rules: describeModelChange(order) };
    case 'photosession':
      return { own: null, rules: describePose(position) };
    case 'try_on':
      return { own: null, rules: describeTryOn(order) };
  }
}

const MOTIONS: Record<ProductCategory, Record<MotionPreset, string>> = {
  одежда: {
    spin: 'The person turns around once to show the outfit from every side and at the end walks out of the frame.',
    walk: 'The person walks towards the camera with the confident steps of a fashion runway.',
    pose: 'The person poses for a fashion shoot and moves smoothly from one calm pose to the next.',
    dance: 'The person poses and dances slowly and gracefully, so that the fabric moves naturally.',
    shoe: 'The camera orbits the outfit smoothly at a constant distance.',
  },
  обувь: {
    spin: 'The shoes turn around once on the spot and show every side.',
    walk: 'The shoes step forward along a fashion runway, and the camera stays low beside them.',
    pose: 'The shoes stand still while the camera glides past them and shows their shape.',
    dance: 'The shoes move through a few light, slow dance steps.',
    shoe: 'The camera orbits the shoes smoothly at a constant distance.',
  },
};
const FRAMINGS: Record<AspectRatio, string> = {
  '3:4': 'Vertical frame, the whole product stays in view.',
  '9:16': 'Tall vertical frame, the whole product stays in view.',
  '1:1': 'Square frame, the product stays whole and in the centre.',
};
const PACES: Record<VideoSeconds, string> = {
  5: 'One continuous shot with one unhurried motion.',
  10: 'One continuous shot with one slow motion and a short pause at its end.',
};
const PRESERVED: Record<ProductCategory, string> = {
  одежда:
    'The garment stays exactly as it is in the picture: the same colour, print, lettering, seams, buttons, fabric, length and fit.',
  обувь:
    'The shoes stay exactly as they are in the picture: the same colour, material, print, seams, laces, sole and shape.',
};

function describeVideo(order: VideoOrder): { own: string | null; rules: string[] } {
  const { category, aspectRatio, durationSeconds } = order;
  const own = findOwnWords(order.prompt);
  const motion = own === null ? [MOTIONS[category][order.preset]] : [];
  const look = 'The first frame is the picture itself, sharp, with the same light and background.';
  return { own, rules: [...motion, PRESERVED[category], look, PACES[durationSeconds], FRAMINGS[aspectRatio]] };
}

const DETAILS = 'the same colour, print, lettering, seams, buttons, fabric, length and fit';
const PRESERVED_IN_PICTURES = `The garment or shoes of Picture 1 stay exactly as they are: ${DETAILS}.`;
const PHOTOGRAPH = 'The result is one sharp, realistic fashion photograph with natural skin and natural proportions.';

function describeModelChange(order: ModelChangeOrder): string[] {
  const sentences = ['Picture 1 shows the product.'];
  const numbers = new Map(listPictures(order).map(({ shows }, index) => [shows, `Picture ${index + 1}`]));
  if (order.model) {
    const { gender } = order.model;
    const whose = gender === 'woman' ? 'her' : 'his';
    sentences.push(
      `${numbers.get('model')} shows a ${gender}. This ${gender} replaces the person of Picture 1 and wears the product, with ${whose} own face, hair, skin and figure.`,
      `Only the person is taken from ${numbers.get('model')}. The clothes, the pose and the framing are those of Picture 1.`,
    );
  } else {
    sentences.push('The person of Picture 1 stays the same, with the same face, hair, skin, figure and pose.');
  }
  sentences.push(
    order.background
      ? `The background is the scene of ${numbers.get('background')}. The subject stands in it naturally, with its light, perspective and contact shadows.`
      : 'The background and the light of Picture 1 stay as they are.',
  );
  return [...sentences, PRESERVED_IN_PICTURES, PHOTOGRAPH];
}

/** `worn`: for a product on a person. `alone`: for shoes, or a garment that nobody wears. */
const POSES: readonly { worn: string; alone: string }[] = [
  {
    worn: 'stands upright and faces the camera, full length, with relaxed arms',
    alone: 'straight from the front, whole and centred',
  },
  {
    worn: 'turns three quarters to the left, full length, with one hand on the hip',
    alone: 'from the front left, at eye level',
  },
  {
    worn: 'takes a natural step towards the camera, full length',
    alone: 'from the front right, slightly from above',
  },
  {
    worn: 'stands in profile to the right, full length, and looks ahead',
    alone: 'from the side, in full profile',
  },
  {
    worn: 'is shown closer, so that the product fills the frame, and touches it lightly with one hand',
    alone: 'closer, so that material, seams and details are clearly visible',
  },
];

function describePose(position: number): string[] {
  const pose = POSES[position];
  if (!pose) throw new Error(`there is no pose ${position}`);
  return [
    `Picture 1 shows the product. Make a new photograph of the same product in which the person of Picture 1 ${pose.worn}.`,
    `If nobody wears the product in Picture 1, show it by itself, ${pose.alone}.`,
    'The person stays the same, with the same face, hair, skin and figure. The background and the light stay as they are.',
    'Vertical frame of 3:4.',
    PRESERVED_IN_PICTURES,
    PHOTOGRAPH,
  ];
}

const REPLACED: Record<GarmentCategory, string> = {
  auto: 'It replaces the clothes that are worn in its place. All other clothes stay.',
  tops: 'It is worn on the upper body in place of the clothes there. Trousers, skirt and shoes stay.',
  bottoms:
    'It is worn on the lower body in place of the clothes there. The clothes of the upper body and the shoes stay.',
  'one-pieces': 'It is a dress or a jumpsuit and replaces the clothes of both upper and lower body. The shoes stay.',
};

function describeTryOn(order: TryOnOrder): string[] {
  const numbers = new Map(listPictures(order).map(({ shows }, index) => [shows, `Picture ${index + 1}`]));
  const [person, garment] = [numbers.get('model'), numbers.get('product')];
  return [
    `${person} shows a person. ${garment} shows a garment. The person of ${person} wears the garment of ${garment}.`,
    REPLACED[order.category],
    `The person stays the same, with the same face, hair, skin, figure and pose. The background, the light and the framing are those of ${person}.`,
    `Only the garment is taken from ${garment}.`,
    `The garment of ${garment} stays exactly as it is: ${DETAILS}. It falls naturally on the figure.`,
    PHOTOGRAPH,
  ];
}

/** Words of negative prompts that models would misread. A print on the garment is text, too, and must stay. */
const TERMS: Record<string, { unwanted: string; wanted: string }> = {
  blurry: { unwanted: 'blurry', wanted: 'a sharp image' },
  distorted: { unwanted: 'distorted', wanted: 'natural proportions' },
  text: { unwanted: 'added captions', wanted: 'a clean frame whose only lettering is that of the product' },
  logos: { unwanted: 'added logos', wanted: 'only the brand marks of the product' },
  hands: { unwanted: 'deformed hands', wanted: 'natural hands with five fingers' },
};

function splitTerms(negativePrompt: string): string[] {
  const terms = removePersonalData(negativePrompt).split(/[,;]/);
  return [...new Set(terms.map((term) => term.trim().toLowerCase()).filter(Boolean))];
}

/** The person's own prompt. Null when it is the text of a preset. */
function findOwnWords(prompt: string): string | null {
  const own = removePersonalData(prompt);
  if (own === '' || Object.values<string>(PRESET_PROMPTS).includes(own)) return null;
  return /[.!?…]$/.test(own) ? own : `${own}.`;
}

/** Prompts go to other companies, and a person may have pasted more than a motion. */
function removePersonalData(words: string): string {
  return words.replaceAll(PERSONAL_WORDS, ' ').replaceAll(WHITE_SPACE, ' ').trim();
}

/** Cuts at the last `separator` that fits. */
function shorten(words: string, length: number, separator: string): string {
  if (words.length <= length) return words;
  const end = words.lastIndexOf(separator, length);
  return end > 0 ? words.slice(0, end) : '';
}

function joinWords(words: string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join('');
}
