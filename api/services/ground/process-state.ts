import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { hash } from '@node-rs/argon2';
import type { WatermarkOverlay } from '#api/watermark/watermark-overlay.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import { PromiseCache } from './promise-cache.ts';
import { RateLimiter } from './rate-limiter.ts';
import { Semaphore } from './semaphore.ts';
import { SingleFlight, TrailingSingleFlight } from './single-flight.ts';

const MINUTE_MS = 60_000;

/** What one server keeps in memory: limits, queues for heavy work, caches. A restart forgets all of it. */
export type ProcessState = ReturnType<typeof createProcessState>;

/** What hashing a password costs: `memoryCost` in KiB, `timeCost` in passes, `parallelism` in lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** What OWASP names first for Argon2id: 19 MiB, two passes, one lane. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Made once for each context, so that two servers in one process share nothing. `passwordCost`: a test's, which is less. */
export function createProcessState({ passwordCost = PASSWORD_COST }: { passwordCost?: PasswordCost | undefined } = {}) {
  return {
    passwordCost,
    /** What a password is compared with when there is no account, so that the answer takes as long. */
    decoyPasswordHash: hash(randomUUID(), passwordCost),
    /** Attempts in a time. Several processes count apart. */
    rateLimits: {
      /** Wrong passwords for one e-mail, whether it has an account or not. A reset by mail clears them. */
      signIn: new RateLimiter({ max: 10, windowMs: 15 * MINUTE_MS }),
      /** Wrong current passwords of one account: whoever borrows an open session must not guess the password. */
      ownPassword: new RateLimiter({ max: 10, windowMs: 15 * MINUTE_MS }),
      /** New addresses of one unconfirmed account, taken ones included: who corrects a typo needs one or two. */
      emailCorrection: new RateLimiter({ max: 10, windowMs: 60 * MINUTE_MS }),
      /** Answers of the bot in one group: it is told once in a while that only private chats are served. */
      groupAnswer: new RateLimiter({ max: 1, windowMs: 60 * MINUTE_MS }),
    },
    /** Heavy work at the same time. */
    semaphores: {
      /** Hashing is meant to be expensive: more at once would starve everything else. A full line takes two seconds. */
      passwordHashing: new Semaphore({ permits: 2, maxWaiting: 50 }),
      photoDecoding: new Semaphore({ permits: 2, maxWaiting: 60 }),
      /** A photo of more than 24 megapixels may take half a gigabyte. */
      largePhotoDecoding: new Semaphore({ permits: 1, maxWaiting: 1 }),
      /** One photo at a time, so that no crowd of threads starts. */
      subjectDetection: new Semaphore({ permits: 1, maxWaiting: Number.POSITIVE_INFINITY }),
      imageCopies: new Semaphore({ permits: 2, maxWaiting: 200 }),
      /** Encoding takes a whole core. One at a time, so that the server goes on answering. */
      videoCopies: new Semaphore({ permits: 1, maxWaiting: 20 }),
      /** A video is encoded with two threads: one export at a time leaves the server its share. */
      exports: new Semaphore({ permits: 1, maxWaiting: 10 }),
    },
    /** Copies with the logo that are being made, by their storage key. */
    copiesUnderWay: new SingleFlight(),
    /** Payments that are being opened at their provider, by their ids. */
    invoicesUnderWay: new SingleFlight(),
    /** Repeats of a payment notification must not fill the line for the database. */
    notificationsUnderWay: new TrailingSingleFlight(),
    caches: {
      /** By size. That of a usual picture of 1200 x 1600 takes 2 MB. */
      watermarkOverlays: new PromiseCache<WatermarkOverlay>({ max: 4 }),
      /** Drawn sheets of the catalogue as JPEG, by the pictures on them. */
      catalogueSheets: new PromiseCache<Buffer>({ max: 100 }),
      /** What photos show, by their ids. */
      photoSubjects: new PromiseCache<SubjectKind>({ max: 500 }),
      /** The bot's name does not change while the process runs, and Telegram may be slow. */
      botUsername: new PromiseCache<string>({ max: 1 }),
    },
    /** Chats whose updates this process has just recorded. */
    telegramUpdates: new EventEmitter<{ recorded: [chatId: bigint] }>(),
  };
}
