import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

const NOT_LOADED = 'Не удалось проверить поля. Проверьте интернет и попробуйте ещё раз';

/**
 * Validates a form by a schema whose code comes with the first use, for pages that must not make strangers wait for it.
 * Where the schema cannot be loaded, the first field says so.
 */
export function lateResolver<Input extends FieldValues, Output>(
  loadSchema: () => Promise<z.ZodType<Output, Input>>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    try {
      return await standardSchemaResolver(await loadSchema())(values, context, options);
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
