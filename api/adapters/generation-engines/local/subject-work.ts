import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import { findSubjectKind } from './subject-kind.ts';

/** Guesses what a photo shows. Computes for half a second, so it runs in another process. */
export function detectSubject(photo: Uint8Array): Promise<SubjectKind> {
  return findSubjectKind(Buffer.from(photo));
}
