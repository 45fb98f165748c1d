const WASTE = /^(\..*|thumbs\.db|desktop\.ini|__MACOSX)$/i;

/** Whether a file or folder is one that systems leave beside photos. Nobody means to add it. */
export function isWaste(name: string): boolean {
  return WASTE.test(name);
}
