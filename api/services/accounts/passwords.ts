import { hash, verify } from '@node-rs/argon2';
import type { AppContext } from '#api/services/app-context.ts';

/** The hash as it is stored: Argon2id, the library's default algorithm. Throws AppError unavailable when too many wait. */
export function hashPassword(app: Pick<AppContext, 'state'>, password: string): Promise<string> {
  return app.state.semaphores.passwordHashing.run(() => hash(password, app.state.passwordCost));
}

/**
 * Whether the password fits. Without a hash (no such account) it does the same work and says no.
 * Throws AppError unavailable when too many wait.
 */
export function verifyPassword(
  app: Pick<AppContext, 'state'>,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  return app.state.semaphores.passwordHashing.run(async () => {
    const fits = await verify(passwordHash ?? (await app.state.decoyPasswordHash), password);
    return fits && passwordHash !== null;
  });
}
