import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A part of a page that is loaded when it is needed. Where its code cannot be loaded, nothing stands in its place: the
 * page is more than this part.
 */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().catch((error: unknown) => {
      console.warn('a part of the page is missing:', error);
      return { default: () => null };
    }),
  );
}
