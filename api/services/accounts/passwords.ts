import { randomUUID } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { createWorkSlots } from '#api/services/ground/semaphore.ts';

/** Argon2id (the library's default algorithm) at the cost that OWASP names first: 19 MiB, two passes, one lane. */
const ARGON2_OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashing is meant to be expensive: more at once would starve everything else. The line is about two seconds long. */
const slots = createWorkSlots({ atOnce: 2, maxWaiting: 50 });

/** What a password is compared with when there is no account, so that the answer takes as long. */
const decoyHash = hash(randomUUID(), ARGON2_OPTIONS);

/** The hash as it is stored. Throws AppError unavailable when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return slots.run(() => hash(password, ARGON2_OPTIONS));
}

/**
 * Whether the password fits. Without a hash (no such account) it does the same work and says no.
 * Throws AppError unavailable when too many wait.
 */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return slots.run(async () => {
    const fits = await verify(passwordHash ?? (await decoyHash), password);
    return fits && passwordHash !== null;
  });
}
