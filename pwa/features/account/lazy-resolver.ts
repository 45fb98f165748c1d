import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type * as z from 'zod/mini';

const NOT_LOADED = 'Не удалось проверить поля. Проверьте интернет и попробуйте ещё раз';

/**
 * Validates a form by a schema that is loaded on first use, so that visitors do not download the schema library. If it
 * cannot be loaded, the first field shows an error.
 */
export function lazyResolver<Input extends FieldValues, Output>(
  loadSchema: () => Promise<z.ZodMiniType<Output, Input>>,
): Resolver<Input, unknown, Output> {
  return async (values, context, options) => {
    try {
      const [{ standardSchemaResolver }, schema] = await Promise.all([
        import('@hookform/resolvers/standard-schema'),
        loadSchema(),
      ]);
      return await standardSchemaResolver(schema)(values, context, options);
    } catch {
      const [firstField = ''] = Object.keys(values);
      return {
        values: {},
        errors: { [firstField]: { type: 'not_loaded', message: NOT_LOADED } } as FieldErrors<Input>,
      };
    }
  };
}

/** Swallows a failed preload of the schema: it is loaded again, and a failure shown, when the form is sent. */
export function ignorePreloadFailure(): void {}
