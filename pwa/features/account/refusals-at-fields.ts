import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { isRefusedFor } from '#pwa/client/api-error.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';

/** The fields at which the server's refusals with these codes are shown. Others are shown below the form. */
type FieldsByCode<Values extends FieldValues> = Partial<Record<ErrorCode, Path<Values>>>;

export function isShownAtField<Values extends FieldValues>(error: unknown, fields: FieldsByCode<Values>): boolean {
  return Object.keys(fields).some((code) => isRefusedFor(error, code as ErrorCode));
}

/** Shows a refusal at its field and moves the focus there. Does nothing for other errors. */
export function showAtField<Values extends FieldValues>(
  error: Error,
  fields: FieldsByCode<Values>,
  setError: UseFormSetError<Values>,
): void {
  for (const [code, field] of Object.entries(fields)) {
    if (isRefusedFor(error, code as ErrorCode))
      setError(field as Path<Values>, { message: error.message }, { shouldFocus: true });
  }
}
