/** How a subject may be before a background: on its feet, hung up or laid flat against a wall, or put down on a floor. */
export const POSITIONS = ['standing', 'hanging', 'lying'] as const;
export type Position = (typeof POSITIONS)[number];

/** What a photo shows, as far as its shape and colours tell. */
export const SUBJECT_KINDS = ['person', 'garment', 'shoe', 'unknown'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

const POSITION_OF: Record<Exclude<SubjectKind, 'unknown'>, Position> = {
  person: 'standing',
  garment: 'hanging',
  shoe: 'lying',
};

/** The same backgrounds, those before which such a subject looks right first; otherwise in their own order. */
export function putSuitingFirst<Background extends { suits: readonly Position[] }>(
  backgrounds: readonly Background[],
  subject: SubjectKind,
): Background[] {
  if (subject === 'unknown') return [...backgrounds];
  const suits = (background: Background) => background.suits.includes(POSITION_OF[subject]);
  return [...backgrounds.filter(suits), ...backgrounds.filter((background) => !suits(background))];
}
