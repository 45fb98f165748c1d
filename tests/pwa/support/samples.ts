import type { z } from 'zod';
import type { User } from '#shared/contract/account.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import type { CatalogueBackground, CatalogueModel } from '#shared/contract/catalogue.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import type { GalleryImage, listGallery, listResults } from '#shared/contract/gallery.ts';
import type { GenerationResult, GenerationView } from '#shared/contract/generations.ts';
import type { Operator } from '#shared/contract/operator.ts';
import type { Pack, PackPreview } from '#shared/contract/packs.ts';
import type { LookedUpInvoice, StarPackage } from '#shared/contract/payments.ts';
import type { KeptPhoto } from '#shared/contract/photos.ts';
import type { Product } from '#shared/contract/products.ts';
import type { ResultName } from '#shared/contract/result-name.ts';
import type { ToolAbilities, ToolObstacle, ToolOffer } from '#shared/contract/tools.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { ActiveGeneration, getVideoDownloadAccess, Video } from '#shared/contract/videos.ts';
import { countRows } from '#shared/rules/batches.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { ASPECT_RATIOS } from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS } from '#shared/rules/prices.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/** The premium status of an account that has never paid, and of one that has. */
export const FREE = { isPremium: false, hasSuccessfulTransactions: false, transactionCount: 0 };
export const PAID = { isPremium: true, hasSuccessfulTransactions: true, transactionCount: 1 };

/** A confirmed account that has never paid. */
export const USER: User = {
  id: 7,
  email: 'anna@example.com',
  username: '',
  firstName: 'Анна',
  lastName: 'Ким',
  isEmailVerified: true,
  isAdmin: false,
  consentVersion: DOCUMENTS_VERSION,
  transferConsentVersion: null,
  erasesAt: null,
};

/** What the tools make with the local engine. */
export const LOCAL_TOOLS: ToolAbilities = {
  change: 'background_change',
  frames: 'views',
  mover: 'camera',
  offered: ['model_change', 'video', 'photosession'],
  videoSeconds: [...VIDEO_SECONDS],
  aspectRatios: [...ASPECT_RATIOS],
  documentsVersion: DOCUMENTS_VERSION,
  transferVersion: TRANSFER_VERSION,
};
/** With an engine that makes new pictures, but tries nothing on. */
export const GENERATIVE_TOOLS: ToolAbilities = {
  ...LOCAL_TOOLS,
  change: 'model_change',
  frames: 'poses',
  mover: 'person',
};

/** With an engine for every tool. */
export const ALL_TOOLS: ToolAbilities = { ...GENERATIVE_TOOLS, offered: [...GENERATION_KINDS] };

export const PHOTO: UploadedPhoto = {
  id: 'photo-1',
  name: 'dress.jpg',
  width: 1200,
  height: 1600,
  size: 240_000,
  type: 'image/jpeg',
  product: null,
  guessedArticle: null,
  previewUrl: '/api/photos/photo-1/preview',
  thumbnailUrl: '/api/photos/photo-1/thumbnail',
};

export const PRODUCT: Product = {
  id: 'product-1',
  article: 'ART-123',
  name: 'Пальто',
  coverUrl: null,
  photos: 1,
  results: 2,
  createdAt: '2026-11-01T10:00:00.000Z',
};

export const KEPT_PHOTO: KeptPhoto = {
  ...PHOTO,
  storedBytes: 1024 ** 2,
  createdAt: '2026-11-20T10:00:00.000Z',
  isInUse: false,
};

/** A file that the page accepts as a photo. Its name says the size: «dress-1200x1600.jpg». */
export function photoFile(name: string, bytes = 1000): File {
  const content = new Uint8Array(bytes);
  content.set([0xff, 0xd8, 0xff]);
  return new File([content], name, { type: 'image/jpeg' });
}

export const OPERATOR: Operator = {
  name: 'ИП Петров',
  ogrnip: '304500116000157',
  inn: '500100732259',
  email: 'help@podium.test',
  messengerUrl: 'https://t.me/podium_help',
  isSample: false,
  areDocumentsReviewed: true,
  sendsPhotosAbroad: false,
};

/** Everything can be started, unless `obstacles` names reasons by tool. */
export function sampleOffer(
  obstacles: Partial<Record<GenerationKind, ToolObstacle['code']>> = {},
  photosTravel: ToolOffer['photosTravel'] = 'nowhere',
): ToolOffer {
  const tools = GENERATIVE_TOOLS.offered.map((kind) => {
    const code = obstacles[kind];
    const obstacle = code ? { code, message: ERRORS[code].message } : null;
    return { kind, isOffered: code !== 'tool_not_offered', obstacle, photosTravel, isDemonstration: false };
  });
  return { tools, photosTravel };
}

/** One package of each tier. */
export const PACKAGES: StarPackage[] = [
  { id: 1, name: 'Проба', stars: 5, priceRub: 250 },
  { id: 2, name: 'Показ', stars: 20, priceRub: 890 },
  { id: 3, name: 'Коллекция', stars: 50, priceRub: 1990 },
  { id: 4, name: 'Дом моды', stars: 100, priceRub: 3500 },
];

export const INVOICE_ID = '0b9d5c2e-3f4a-4c1d-9e8f-1a2b3c4d5e6f';

/** A paid invoice by default. */
export function sampleInvoice(part: Partial<LookedUpInvoice> = {}): LookedUpInvoice {
  return {
    id: INVOICE_ID,
    status: 'succeeded',
    packageName: 'Коллекция',
    stars: 50,
    amountRub: 1990,
    createdAt: new Date().toISOString(),
    paymentUrl: null,
    payableUntil: null,
    isUnpaid: false,
    isDismissed: false,
    ...part,
  };
}

export const GENERATION_ID = '5f0c8d1e-7a6b-4c3d-8e2f-9a1b2c3d4e5f';

type ViewOf<Kind extends GenerationView['kind']> = Extract<GenerationView, { kind: Kind }>;

const SETTINGS: { [Kind in GenerationView['kind']]: ViewOf<Kind>['settings'] } = {
  video: { duration: 5, preset: 'walk' },
  model_change: { modelId: 'w01', backgroundId: 'b01', isModelReplaced: true },
  photosession: {},
  try_on: { category: 'tops' },
};

/** A running generation by default. */
export function sampleGeneration<Kind extends GenerationView['kind']>(
  kind: Kind,
  part: Partial<Omit<ViewOf<Kind>, 'kind'>> = {},
): ViewOf<Kind> {
  const createdAt = new Date(Date.now() - 60_000).toISOString();
  return {
    kind,
    id: GENERATION_ID,
    made: kind,
    status: 'generating',
    createdAt,
    photos: [PHOTO],
    progress: { share: 0.4, startedAt: createdAt, finishedAt: null, expectedSeconds: 60, isRemote: false },
    failure: null,
    results: [],
    starsSpent: 1,
    positions: Array.from({ length: TOOLS[kind].outputs.count }, (_, index) => index),
    reroll: 'not_offered',
    rerollOf: null,
    batchId: null,
    rerolledBy: null,
    settings: SETTINGS[kind],
    ...part,
  } as GenerationView as ViewOf<Kind>;
}

/** A running generation as the list of running ones names it. */
export function sampleActive(kind: GenerationView['kind']): ActiveGeneration {
  const { id, made, status, createdAt, progress } = sampleGeneration(kind);
  const photo = { photo: PHOTO, thumbnailUrl: PHOTO.thumbnailUrl };
  return { id, generationId: id, kind, made, status, createdAt, progress, settings: {}, ...photo };
}

/** What a result is called that belongs to no product and was never renamed. */
function sampleName(title: string, fileName: string): ResultName {
  return { title, isRenamed: false, fileName, product: null, photoName: 'dress', number: 1, position: 0 };
}

export function sampleResult(part: Partial<GenerationResult> = {}): GenerationResult {
  const id = part.id ?? 'result-1';
  return {
    id,
    ...sampleName('dress, Фотосессия 1, кадр 1', 'dress_Фотосессия_1-1.jpg'),
    url: `/api/images/${id}`,
    previewUrl: `/api/images/${id}/preview`,
    isWatermarked: false,
    width: 1200,
    height: 1600,
    durationSeconds: null,
    garmentCheck: null,
    report: null,
    ...part,
  };
}

export function sampleImage(part: Partial<GalleryImage> = {}): GalleryImage {
  const id = part.id ?? 'image-1';
  return {
    id,
    generationId: GENERATION_ID,
    ...sampleName('Пальто', 'Пальто.jpg'),
    imageUrl: `/api/images/${id}`,
    displayUrl: `/api/images/${id}/preview`,
    thumbnailUrl: `/api/images/${id}/thumbnail`,
    originalImageUrl: `/api/images/${id}`,
    downloadUrl: `/api/images/${id}`,
    createdAt: '2026-11-01T10:00:00.000Z',
    generationType: 'model_change',
    made: 'model_change',
    metadata: {},
    canDownload: false,
    isOptimized: false,
    width: 1200,
    height: 1600,
    bytes: 300_000,
    hasWatermark: true,
    hasDrifted: false,
    ...part,
  };
}

/** The whole gallery, by default of an account that has never paid. */
export function sampleGallery(
  images: GalleryImage[],
  canDownloadOriginals = false,
): z.infer<(typeof listGallery)['answer']> {
  return { images, userStatus: { canDownloadOriginals }, nextCursor: null };
}

/** All results, by default of an account that has never paid. */
export function sampleResults(
  results: readonly (GalleryImage | Video)[],
  canDownloadOriginals = false,
): z.infer<(typeof listResults)['answer']> {
  const items = results.map((result) =>
    'videoId' in result ? { kind: 'video' as const, video: result } : { kind: 'image' as const, image: result },
  );
  return { items, userStatus: { canDownloadOriginals }, nextCursor: null };
}

/** What the server says of the download of a video to somebody who has paid, or has never. */
export function sampleAccess(canDownload: boolean): z.infer<(typeof getVideoDownloadAccess)['answer']> {
  return { canDownload, downloadUrl: null, upgradeMessage: null, premiumStatus: canDownload ? PAID : FREE };
}

const VIDEO_ID = 'c1a9e4b2-6d5f-4a3e-9b8c-7d6e5f4a3b2c';

export const VIDEO: Video = {
  id: VIDEO_ID,
  url: `/api/video-proxy/${VIDEO_ID}`,
  videoUrl: `/api/video-proxy/${VIDEO_ID}`,
  videoId: VIDEO_ID,
  generationId: VIDEO_ID,
  ...sampleName('Дефиле', 'Дефиле.mp4'),
  status: 'completed',
  createdAt: '2026-11-01T10:00:00.000Z',
  error: null,
  thumbnail: '/api/videos/video-1/thumbnail',
  posterUrl: '/api/videos/video-1/poster',
  duration: 5,
  width: 900,
  height: 1200,
  bytes: 2_000_000,
  hasDrifted: false,
};

const PICTURE = { avifUrl: '/catalogue/x.avif', width: 480, height: 600, alt: '' };
export const MODEL: CatalogueModel = {
  id: 'w01',
  name: 'Вера',
  ageRange: '18-25',
  category: 'women',
  imageUrl: '/catalogue/w01.webp',
  ...PICTURE,
};
export const BACKGROUND: CatalogueBackground = {
  id: 'b01',
  name: 'Студия',
  type: 'studio',
  isPremium: false,
  description: '',
  suits: [],
  ...PICTURE,
  imageUrl: '/catalogue/b01.webp',
};

export const BATCH_ID = 'b7a3c1d2-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

/** A row that can be started, by default. Its id ends with its position. */
export function sampleRow(position: number, part: Partial<BatchRow> = {}): BatchRow {
  return {
    id: `a1b2c3d4-0000-4000-8000-${String(position).padStart(12, '0')}`,
    position,
    name: `photo-${position}.jpg`,
    size: 240_000,
    folder: null,
    state: 'ready',
    reason: null,
    photo: { ...PHOTO, id: `photo-${position}` },
    article: null,
    note: null,
    set: null,
    stars: 1,
    attempts: 0,
    generationId: null,
    progress: null,
    results: [],
    reroll: 'not_offered',
    isTaken: null,
    ...part,
  };
}

/** A batch of photo sessions with these rows. Counts and prices follow from them. */
export function sampleBatch(rows: readonly BatchRow[], part: Partial<Batch> = {}): Batch {
  const priced = (wanted: BatchRow['state']) => {
    const chosen = rows.filter(({ state }) => state === wanted);
    return { rows: chosen.length, stars: chosen.reduce((sum, { stars }) => sum + stars, 0) };
  };
  const done = rows.filter(({ state }) => state === 'done');
  const ready = priced('ready');
  return {
    id: BATCH_ID,
    name: 'Пальто',
    status: 'open',
    isQueue: false,
    createdAt: '2026-11-27T10:00:00.000Z',
    startedAt: null,
    set: { kind: 'photosession', settings: {} },
    personPhoto: null,
    pause: null,
    continuesAfterPurchase: false,
    counts: countRows(rows.map(({ state }) => state)),
    review: {
      left: done.filter(({ isTaken }) => isTaken === null).length,
      taken: done.filter(({ isTaken }) => isTaken === true).length,
      notTaken: done.filter(({ isTaken }) => isTaken === false).length,
    },
    prices: { ready, waiting: priced('waiting'), failed: priced('failed'), stopped: priced('stopped') },
    affordableRows: Math.min(ready.rows, 12),
    secondsLeft: 0,
    isUnseen: false,
    ...part,
  };
}

/** A pack of the batch that is ready, by default. */
export function samplePack(part: Partial<Pack> = {}): Pack {
  return {
    id: 'c2d3e4f5-0000-4000-8000-000000000001',
    marketplace: 'wildberries',
    title: 'Пальто',
    batchId: BATCH_ID,
    productId: null,
    template: '{артикул}_{№}',
    status: 'ready',
    done: 12,
    total: 12,
    extra: 0,
    fileName: 'Wildberries_Пальто_2026-11-27.zip',
    bytes: 13_002_342,
    failure: null,
    createdAt: '2026-11-27T10:00:00.000Z',
    expiresAt: '2026-12-04T10:00:00.000Z',
    ...part,
  };
}

/** A file of a preview: a picture that stays as it is, by default. */
export function samplePackFile(path: string, part: Partial<PackPreview['files'][number]> = {}) {
  return { path, thumbnailUrl: `/media/results/${path}/thumbnail`, changes: [], extra: null, ...part };
}
