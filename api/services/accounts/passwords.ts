import { randomUUID } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import type { AppContext } from '#api/services/app-context.ts';

/** Argon2id (the library's default algorithm) at the cost that OWASP names first: 19 MiB, two passes, one lane. */
const ARGON2_OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Passwords are compared with this when there is no account, so that the answer takes as long. */
const decoyHash = hash(randomUUID(), ARGON2_OPTIONS);

/** The hash as it is stored. Throws AppError unavailable when too many wait. */
export function hashPassword(app: Pick<AppContext, 'state'>, password: string): Promise<string> {
  return app.state.semaphores.passwordHashing.run(() => hash(password, ARGON2_OPTIONS));
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
    const fits = await verify(passwordHash ?? (await decoyHash), password);
    return fits && passwordHash !== null;
  });
}
