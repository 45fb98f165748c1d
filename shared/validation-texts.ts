import type * as z from 'zod/mini';

const REQUIRED = 'Обязательное поле';
const INVALID = 'Недопустимое значение';

const EXPECTED_TYPES: Record<string, string> = {
  string: 'нужна строка',
  number: 'нужно число',
  int: 'нужно целое число',
  boolean: 'нужно true или false',
  array: 'нужен список',
  object: 'нужен объект',
};

/** Whether this is a schema's own text, written for people who fill in a form. */
export function isOwnText(text: string): boolean {
  return text !== REQUIRED && !text.startsWith(INVALID);
}

/** The Russian text about an invalid value whose schema has no text of its own. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return REQUIRED;
      return withHint(EXPECTED_TYPES[issue.expected]);
    case 'invalid_value':
      if (issue.input === undefined) return REQUIRED;
      return withHint(`подходит ${issue.values.map(String).join(', ')}`);
    case 'too_big':
      return withHint(`не больше ${issue.maximum}`);
    case 'too_small':
      return withHint(`не меньше ${issue.minimum}`);
    case 'not_multiple_of':
      return withHint(`нужно кратное ${issue.divisor}`);
    case 'unrecognized_keys':
      return withHint(`лишние поля: ${issue.keys.join(', ')}`);
    default:
      return INVALID;
  }
}

function withHint(hint: string | undefined): string {
  return hint ? `${INVALID}: ${hint}` : INVALID;
}
