/** Keys of queries that more than one place reads or refreshes. */
export const QUERY_KEYS = {
  user: ['user'],
  stars: ['stars'],
  starBalance: ['stars', 'balance'],
  premiumStatus: ['premium-status'],
  activeGenerations: ['active-generations'],
  unseen: ['unseen'],
  videos: ['videos'],
  gallery: ['gallery'],
  deletedItems: ['deleted-items'],
  endedGeneration: ['ended-generation'],
  reports: ['reports'],
  operator: ['operator'],
  showcase: ['showcase'],
  tools: ['tools'],
  toolOffer: ['tool-offer'],
  starPackages: ['star-packages'],
} as const;
