/** The position of a subject: standing on its feet, hanging or lying flat against a wall, or lying on a floor. */
export const POSITIONS = ['standing', 'hanging', 'lying'] as const;
export type Position = (typeof POSITIONS)[number];

export const SUBJECT_KINDS = ['person', 'garment', 'shoe', 'unknown'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

const POSITION_OF: Record<Exclude<SubjectKind, 'unknown'>, Position> = {
  person: 'standing',
  garment: 'hanging',
  shoe: 'lying',
};

/** Sorts backgrounds that suit the subject first. Otherwise keeps their order. */
export function putSuitingFirst<Background extends { suits: readonly Position[] }>(
  backgrounds: readonly Background[],
  subject: SubjectKind,
): Background[] {
  if (subject === 'unknown') return [...backgrounds];
  const suits = (background: Background) => background.suits.includes(POSITION_OF[subject]);
  return [...backgrounds.filter(suits), ...backgrounds.filter((background) => !suits(background))];
}
