import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/**
 * Lets `change` happen after the next check of a password and before what it allows, as if that check had waited long.
 * Resolves with what `change` does.
 */
export function afterNextPasswordCheck<T>(
  { app }: Pick<TestApp, 'app'>,
  change: () => PromiseLike<T>,
): Promise<Awaited<T>> {
  const hashing = app.state.semaphores.passwordHashing;
  const run = hashing.run.bind(hashing);
  return new Promise((resolve, reject) => {
    vi.spyOn(hashing, 'run').mockImplementationOnce(async (check) => {
      const answer = await run(check);
      await Promise.resolve(change()).then(resolve, reject);
      return answer;
    });
  });
}
