import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/** Validates a react-hook-form by a schema of the contract: the first complaint of each field is shown. */
export function zodResolver<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return async (values) => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return { values: parsed.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of parsed.error.issues) {
      errors[issue.path.join('.')] ??= { type: issue.code, message: issue.message };
    }
    return { values: {}, errors: errors as FieldErrors<Input> };
  };
}

const NOT_LOADED = 'Не удалось проверить поля. Проверьте интернет и попробуйте ещё раз';

/** The same by a schema whose code comes with the first use, for pages that must not make strangers wait for it. */
export function lateZodResolver<Input extends FieldValues, Output>(
  loadSchema: () => Promise<z.ZodType<Output, Input>>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    try {
      return await zodResolver(await loadSchema())(values, context, options);
    } catch {
      const [firstField = ''] = Object.keys(values);
      return {
        values: {},
        errors: { [firstField]: { type: 'not_loaded', message: NOT_LOADED } } as FieldErrors<Input>,
      };
    }
  };
}

/** For loading a schema ahead: what fails here is tried again, and told, when the form is sent. */
export function ignoreUntilSent(): void {}
