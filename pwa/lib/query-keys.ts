/** Keys of queries that more than one feature reads or refreshes. */
export const QUERY_KEYS = {
  user: ['user'],
  starBalance: ['stars', 'balance'],
  premiumStatus: ['premium-status'],
  activeGenerations: ['active-generations'],
  videos: ['videos'],
  gallery: ['gallery'],
  operator: ['operator'],
  showcase: ['showcase'],
  starPackages: ['star-packages'],
} as const;
