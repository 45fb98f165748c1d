import { randomUUID } from 'node:crypto';
import { hash, type Options, verify } from '@node-rs/argon2';
import { AppError } from '#api/errors.ts';

/** Argon2id (the library's default algorithm) at the cost that OWASP names first: 19 MiB, two passes, one lane. */
const ARGON2_OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashing is meant to be expensive: more at once would starve everything else in the process. */
const MAX_AT_ONCE = 2;
/** About two seconds of waiting; whoever comes later is told to come back. */
const MAX_WAITING = 50;
const RETRY_AFTER_SECONDS = 5;

let running = 0;
const waiting: (() => void)[] = [];

/** What a password is compared with when there is no account, so that the answer takes as long. */
const decoyHash = hash(randomUUID(), ARGON2_OPTIONS);

/** The hash as it is stored. Throws AppError unavailable when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return takeTurn(() => hash(password, ARGON2_OPTIONS));
}

/**
 * Whether the password fits. Without a hash (no such account) it does the same work and says no.
 * Throws AppError unavailable when too many wait.
 */
export function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return takeTurn(async () => {
    const fits = await verify(passwordHash ?? (await decoyHash), password);
    return fits && passwordHash !== null;
  });
}

async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new AppError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
    // Whoever finishes hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
