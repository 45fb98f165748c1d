import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { listPictures, writePrompt } from '#api/adapters/generation-engines/prompts.ts';
import { GARMENT_CATEGORIES, type GarmentCategory } from '#shared/rules/garments.ts';
import {
  ASPECT_RATIOS,
  DEFAULT_NEGATIVE_PROMPT,
  MOTION_PRESETS,
  PRESET_PROMPTS,
  PRODUCT_CATEGORIES,
} from '#shared/rules/motion-presets.ts';
import { PHOTOSESSION_FRAMES, VIDEO_SECONDS } from '#shared/rules/prices.ts';

const NEGATIVE_TOO = { text: 2500, negative: 2500 };
const POSITIVE_ONLY = { text: 2500, negative: 0 };
const open = async () => Readable.from([]);
const openModel = async () => Readable.from([]);
const openScene = async () => Readable.from([]);

type Order = Parameters<typeof writePrompt>[0];
type VideoOrder = Extract<Order, { kind: 'video' }>;
type ModelChange = Extract<Order, { kind: 'model_change' }>;

const basis = {
  generationId: '0f0e8e3a-0000-4000-8000-000000000001',
  runId: '0f0e8e3a-0000-4000-8000-000000000002',
  positions: [0],
  webhookUrl: null,
  photos: { subject: open },
};

function orderVideo(changes: Partial<VideoOrder> = {}): VideoOrder {
  return {
    ...basis,
    kind: 'video',
    preset: 'spin',
    category: 'одежда',
    prompt: PRESET_PROMPTS.spin,
    negativePrompt: DEFAULT_NEGATIVE_PROMPT,
    durationSeconds: 5,
    cfgScale: 0.5,
    aspectRatio: '3:4',
    ...changes,
  };
}

const woman = { id: 'w7', gender: 'woman', openImage: openModel } as const;
const scene = { id: 'loft', openImage: openScene, floor: 0.8 };

function orderModelChange(changes: Partial<ModelChange> = {}): ModelChange {
  return { ...basis, kind: 'model_change', model: woman, background: scene, ...changes };
}

const session: Order = { ...basis, kind: 'photosession' };

const openPerson = async () => Readable.from([]);
function orderTryOn(category: GarmentCategory): Order {
  return { ...basis, kind: 'try_on', photos: { subject: open, person: openPerson }, category };
}

describe('the words of a video', () => {
  test('differ by motion, category, ratio and length, fit the shortest limit and keep the garment', () => {
    const texts = MOTION_PRESETS.flatMap((preset) =>
      PRODUCT_CATEGORIES.flatMap((category) =>
        ASPECT_RATIOS.flatMap((aspectRatio) =>
          VIDEO_SECONDS.map((durationSeconds) => {
            const order = orderVideo({
              preset,
              category,
              aspectRatio,
              durationSeconds,
              prompt: PRESET_PROMPTS[preset],
            });
            const { text } = writePrompt(order, 0, { text: 800, negative: 0 });
            expect(text.length).toBeLessThanOrEqual(800);
            expect(text).toMatch(category === 'обувь' ? /The shoes stay exactly/ : /The garment stays exactly/);
            expect(text).toMatch(/the same colour.*print.*seams/);
            return text;
          }),
        ),
      ),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("keep the person's own prompt where it is not the text of a preset", () => {
    const own = 'Модель медленно поднимает руку и улыбается';
    const { text } = writePrompt(orderVideo({ prompt: own }), 0, NEGATIVE_TOO);
    expect(text).toContain(`${own}.`);
    expect(text).toContain('The garment stays exactly');
    expect(text).not.toContain('turns around once');
    const ofAnotherPreset = writePrompt(orderVideo({ preset: 'walk', prompt: PRESET_PROMPTS.spin }), 0, NEGATIVE_TOO);
    expect(ofAnotherPreset.text).toMatch(/runway/);
  });

  test("shorten the person's words, never the rule about the garment", () => {
    const { text } = writePrompt(orderVideo({ prompt: 'slowly '.repeat(280).trim() }), 0, { text: 800, negative: 0 });
    expect(text.length).toBeLessThanOrEqual(800);
    expect(text).toMatch(/^slowly slowly/);
    expect(text).toContain('The garment stays exactly');
    expect(text).toContain('five fingers');
  });

  test('name nobody: addresses, links, accounts and telephone numbers are taken out', () => {
    const links = 'https://t.me/anna t.me/anna www.anna.example shop.anna-k.ru/anna?id=1';
    const prompt = `Walk, call +7 (912) 345-67-89 or anna@example.com, @anna_shop ${links} and turn 360`;
    const negativePrompt = 'anna@example.com, hands';
    const words = writePrompt(orderVideo({ prompt, negativePrompt }), 0, NEGATIVE_TOO);
    expect(words.text).toContain('and turn 360.');
    expect(words.text).not.toMatch(/anna|912|http/);
    expect(words.negative).toBe('deformed hands');
  });
});

test('the words of every order are positive: nothing is asked for by «no», «not» or «without»', () => {
  const orders: Order[] = [
    ...MOTION_PRESETS.map((preset) => orderVideo({ preset, prompt: PRESET_PROMPTS[preset] })),
    orderModelChange(),
    orderModelChange({ model: null }),
    orderModelChange({ background: null }),
    ...GARMENT_CATEGORIES.map(orderTryOn),
  ];
  const poses = Array.from({ length: PHOTOSESSION_FRAMES }, (_, position) => [session, position] as const);
  for (const [order, position] of [...orders.map((order) => [order, 0] as const), ...poses]) {
    expect(writePrompt(order, position, POSITIVE_ONLY).text).not.toMatch(/\b(no|not|never|don't|without|avoid)\b/i);
  }
});

describe('the negative prompt', () => {
  test('speaks of deformed hands and added captions, because hands and prints belong to the product', () => {
    expect(writePrompt(orderVideo(), 0, NEGATIVE_TOO).negative).toBe(
      'blurry, distorted, added captions, added logos, deformed hands',
    );
    expect(writePrompt(session, 0, NEGATIVE_TOO).negative).toMatch(/deformed hands/);
  });

  test('becomes positive words for a model without one', () => {
    const words = writePrompt(orderVideo({ negativePrompt: 'blurry, hands, rain' }), 0, POSITIVE_ONLY);
    expect(words.negative).toBe('');
    expect(words.text).toContain('Show a sharp image and natural hands with five fingers.');
    expect(words.text).toContain('Avoid rain.');
    expect(words.text).not.toMatch(/blurry/);
  });

  test('keeps within its limit and ends with a whole word', () => {
    const negativePrompt = Array.from({ length: 100 }, (_, index) => `thing ${index}`).join(', ');
    const { negative } = writePrompt(orderVideo({ negativePrompt }), 0, { text: 800, negative: 100 });
    expect(negative.length).toBeLessThanOrEqual(100);
    expect(negative).toMatch(/thing \d+$/);
    expect(negativePrompt).toContain(`${negative},`);
  });
});

describe('the pictures of an order', () => {
  test('come in the sequence that the words number', () => {
    const both = orderModelChange();
    expect(listPictures(both)).toEqual([
      { shows: 'product', open },
      { shows: 'model', open: openModel },
      { shows: 'background', open: openScene },
    ]);
    const { text } = writePrompt(both, 0, POSITIVE_ONLY);
    expect(text).toMatch(/Picture 1 shows the product/);
    expect(text).toMatch(/Picture 2 shows a woman.*her own face/);
    expect(text).toMatch(/the scene of Picture 3/);
  });

  test('are renumbered when nobody is replaced', () => {
    const order = orderModelChange({ model: null });
    expect(listPictures(order).map(({ shows }) => shows)).toEqual(['product', 'background']);
    const { text } = writePrompt(order, 0, POSITIVE_ONLY);
    expect(text).toMatch(/The person of Picture 1 stays the same/);
    expect(text).toMatch(/the scene of Picture 2/);
    expect(text).not.toMatch(/Picture 3/);
  });

  test('are two when the background stays, and a man is called a man', () => {
    const order = orderModelChange({ model: { ...woman, gender: 'man' }, background: null });
    expect(listPictures(order).map(({ shows }) => shows)).toEqual(['product', 'model']);
    const { text } = writePrompt(order, 0, POSITIVE_ONLY);
    expect(text).toMatch(/Picture 2 shows a man.*his own face/);
    expect(text).toMatch(/The background and the light of Picture 1 stay/);
    expect(text).not.toMatch(/Picture 3|woman/);
  });

  test.each([listPictures(orderVideo()), listPictures(session)])('are one for the other tools', (...pictures) => {
    expect(pictures).toEqual([{ shows: 'product', open }]);
  });

  test('are described without the ids of the order and of the catalogue', () => {
    for (const order of [orderVideo(), orderModelChange(), session]) {
      expect(writePrompt(order, 0, POSITIVE_ONLY).text).not.toMatch(/0f0e8e3a|w7|loft/);
    }
  });
});

describe('the poses of a photo session', () => {
  test('are five different ones that keep person and garment, also for shoes that nobody wears', () => {
    const texts = Array.from({ length: PHOTOSESSION_FRAMES }, (_, position) =>
      writePrompt(session, position, POSITIVE_ONLY),
    ).map(({ text }) => text);
    expect(new Set(texts).size).toBe(PHOTOSESSION_FRAMES);
    for (const text of texts) {
      expect(text).toMatch(/the same colour, print/);
      expect(text).toMatch(/The person stays the same/);
      expect(text).toMatch(/If nobody wears the product/);
      expect(text).toMatch(/natural hands/);
    }
  });

  test('end with the fifth', () => {
    expect(() => writePrompt(session, PHOTOSESSION_FRAMES, POSITIVE_ONLY)).toThrow();
  });
});

describe('the words of a try-on', () => {
  test('number the person first, because models edit the first picture, and the garment second', () => {
    expect(listPictures(orderTryOn('auto'))).toEqual([
      { shows: 'model', open: openPerson },
      { shows: 'product', open },
    ]);
    const { text } = writePrompt(orderTryOn('auto'), 0, POSITIVE_ONLY);
    expect(text).toContain('The person of Picture 1 wears the garment of Picture 2.');
    expect(text).toMatch(/person stays the same.*background.*are those of Picture 1/);
    expect(text).toMatch(/The garment of Picture 2 stays exactly as it is: the same colour.*print.*seams/);
  });

  test('say what the garment replaces, and fit the shortest limit', () => {
    const texts = GARMENT_CATEGORIES.map((category) => {
      const { text } = writePrompt(orderTryOn(category), 0, POSITIVE_ONLY);
      expect(text.length).toBeLessThanOrEqual(1200);
      return text;
    });
    expect(new Set(texts).size).toBe(GARMENT_CATEGORIES.length);
    expect(texts[GARMENT_CATEGORIES.indexOf('bottoms')]).toContain('on the lower body');
  });
});
