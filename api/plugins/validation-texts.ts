import { z } from 'zod';
import { describeIssue } from '#shared/validation-texts.ts';

/** Texts for complaints that a schema gives no text of its own, for the whole process: nobody is shown English. */
export function setRussianValidationTexts(): void {
  z.config({ localeError: describeIssue });
}
