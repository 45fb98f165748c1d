/** Keys of queries that more than one place reads or refreshes. */
export const QUERY_KEYS = {
  user: ['user'],
  accountSessions: ['account-sessions'],
  telegram: ['telegram'],
  stars: ['stars'],
  starBalance: ['stars', 'balance'],
  premiumStatus: ['premium-status'],
  activeGenerations: ['active-generations'],
  unseen: ['unseen'],
  videos: ['videos'],
  videoFile: ['video-file'],
  gallery: ['gallery'],
  /** Images and videos together. */
  results: ['results'],
  products: ['products'],
  /** The list of batches. */
  batches: ['batches'],
  /** One batch with its rows. */
  batch: ['batch'],
  /** The packs that the account keeps. */
  packs: ['packs'],
  deletedItems: ['deleted-items'],
  keptPhotos: ['kept-photos'],
  generation: ['generation'],
  reports: ['reports'],
  operator: ['operator'],
  showcase: ['showcase'],
  toolSettings: ['tool-settings'],
  tools: ['tools'],
  toolOffer: ['tool-offer'],
  starPackages: ['star-packages'],
} as const;

/** Lists of results, and products with their numbers and covers. */
const RESULT_LISTS = [QUERY_KEYS.gallery, QUERY_KEYS.videos, QUERY_KEYS.results, QUERY_KEYS.products];

/** What is to be fetched again after a change. */
export const CHANGED_BY = {
  start: [QUERY_KEYS.starBalance, QUERY_KEYS.toolSettings],
  /** A generation has ended. */
  end: [QUERY_KEYS.starBalance, QUERY_KEYS.activeGenerations, ...RESULT_LISTS],
  /** The server says that a generation has changed. */
  generationEvent: [
    QUERY_KEYS.activeGenerations,
    QUERY_KEYS.generation,
    QUERY_KEYS.unseen,
    QUERY_KEYS.reports,
    ...RESULT_LISTS,
  ],
  /** The server says that a row of a batch has changed. The pages of tools do not follow rows. */
  rowEvent: [QUERY_KEYS.unseen, QUERY_KEYS.reports, ...RESULT_LISTS],
  balanceEvent: [QUERY_KEYS.stars, QUERY_KEYS.premiumStatus],
  /** Results are deleted, for good or not, or restored. */
  removal: RESULT_LISTS,
  /** Results have other names, or are found to be lost. */
  naming: [QUERY_KEYS.generation, QUERY_KEYS.deletedItems, ...RESULT_LISTS],
  /** Products have changed, or what belongs to them. */
  products: [QUERY_KEYS.generation, QUERY_KEYS.keptPhotos, ...RESULT_LISTS],
  /** Another account was merged into this one. */
  merge: [
    QUERY_KEYS.stars,
    QUERY_KEYS.activeGenerations,
    QUERY_KEYS.keptPhotos,
    QUERY_KEYS.toolSettings,
    QUERY_KEYS.deletedItems,
    QUERY_KEYS.batches,
    QUERY_KEYS.packs,
    ...RESULT_LISTS,
  ],
} as const;
