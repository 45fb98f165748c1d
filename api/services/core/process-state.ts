import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { hash } from '@node-rs/argon2';
import { CachedCheck } from '#api/platform/cached-check.ts';
import { PromiseCache } from '#api/platform/promise-cache.ts';
import { KeyedSemaphore, Semaphore } from '#api/platform/semaphore.ts';
import { SingleFlight } from '#api/platform/single-flight.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import { LIMITS } from './limit-table.ts';
import { createProcessCount } from './limits.ts';

/** Requests that follow each other rely on one check of what is outside. */
const CHECK_CACHED_MS = 5_000;

/** What one server keeps in memory: limits, queues for heavy work, caches. A restart clears it. */
export type ProcessState = ReturnType<typeof createProcessState>;

/** Cost of hashing a password: `memoryCost` in KiB, `timeCost` in passes, `parallelism` in lanes. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** The first recommendation of OWASP for Argon2id: 19 MiB, two passes, one lane. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

interface ProcessStateOptions {
  /** How many connections to the database requests share. Only a process that serves them has to say. */
  pool?: number;
  /** A lower one for tests. */
  passwordCost?: PasswordCost | undefined;
}

/** Created once per context, so that two servers in one process share nothing. */
export function createProcessState({ pool = 8, passwordCost = PASSWORD_COST }: ProcessStateOptions = {}) {
  return {
    passwordCost,
    /** Compared with the password when there is no account, so that the answer takes as long. */
    decoyPasswordHash: hash(randomUUID(), passwordCost),
    groupAnswers: createProcessCount(LIMITS.groupAnswers),
    semaphores: {
      /**
       * Requests in flight, by account, without streams. Starts by a form take a place when the form has arrived. While
       * a row of the account is locked, each holds a connection, and others need some, too.
       */
      requestsOfAccount: new KeyedSemaphore<number>({
        permits: Math.floor(pool / 2),
        maxWaiting: 60,
        refusal: 'too_many_requests',
      }),
      /** Sign-ins and codes in progress, by account. Anybody may send them, because nobody is signed in yet. */
      signInsOfAccount: new KeyedSemaphore<number>({ permits: 1, maxWaiting: 60, refusal: 'too_many_requests' }),
      /** Hashing is expensive on purpose. More at once would starve everything else. A full queue takes two seconds. */
      passwordHashing: new Semaphore({ permits: 2, maxWaiting: 50 }),
      /** Password hashes in progress, by network: one network occupies no more than two places of the hashing. */
      signInsOfNetwork: new KeyedSemaphore<string>({ permits: 2, maxWaiting: 20 }),
      photoDecoding: new Semaphore({ permits: 2, maxWaiting: 60 }),
      /** A photo of more than 24 megapixels may need half a gigabyte. It waits without a place of the others. */
      largePhotoDecoding: new Semaphore({ permits: 1, maxWaiting: 60 }),
      /** By account. A photo is on the disk as long as its form comes in, maybe minutes. The others wait unread. */
      formsOfAccount: new KeyedSemaphore<number>({ permits: 6, maxWaiting: 30 }),
      /** By account. Somebody who sends dozens of photos at once waits for their own, with one connection. */
      photosOfAccount: new KeyedSemaphore<number>({ permits: 1, maxWaiting: 30 }),
      /** Of all accounts that never confirmed an e-mail: anybody makes many of them, and they keep a place for the others. */
      photosOfUnconfirmed: new Semaphore({ permits: 1, maxWaiting: 30 }),
      /** One photo at a time, so that many requests do not start many threads. An account has few requests at once. */
      subjectDetection: new Semaphore({ permits: 1, maxWaiting: Number.POSITIVE_INFINITY }),
      notificationsOfPayment: new KeyedSemaphore<string>({ permits: 1, maxWaiting: 100 }),
      /** A worker follows many orders of remote engines, and all of them may be ready at once. */
      newResults: new Semaphore({ permits: 2, maxWaiting: Number.POSITIVE_INFINITY }),
      imageCopies: new Semaphore({ permits: 2, maxWaiting: 200 }),
      /** What reads whole tables for the panel: searches and figures. */
      administration: new Semaphore({ permits: 1, maxWaiting: 50 }),
      /** Encoding uses a whole core. One at a time keeps the server responsive. */
      videoCopies: new Semaphore({ permits: 1, maxWaiting: 20 }),
      /** A video is encoded with two threads. One export at a time keeps the server responsive. */
      exports: new Semaphore({ permits: 1, maxWaiting: 10 }),
    },
    /** Copies with the logo that are being made, by storage key. */
    copiesInProgress: new SingleFlight(),
    /** Payments that are being opened at their provider, by id. */
    invoicesInProgress: new SingleFlight(),
    caches: {
      /** Sheets of the catalogue as JPEG, by the pictures on them. */
      catalogueSheets: new PromiseCache<Buffer>({ max: 100 }),
      photoSubjects: new PromiseCache<SubjectKind>({ max: 500 }),
      /** The bot's name does not change while the process runs, and Telegram may be slow. */
      botUsername: new PromiseCache<string>({ max: 1 }),
    },
    /** Whether the storage holds the files that the database names. */
    storageSample: new CachedCheck<void>({ cachedMs: CHECK_CACHED_MS }),
    storageCheck: new CachedCheck<void>({ cachedMs: CHECK_CACHED_MS }),
    storageRoom: new CachedCheck<void>({ cachedMs: CHECK_CACHED_MS }),
    mailCheck: new CachedCheck<boolean>({ cachedMs: CHECK_CACHED_MS }),
    /** Chats whose updates this process has just recorded. */
    telegramUpdates: new EventEmitter<{ recorded: [chatId: bigint] }>(),
  };
}
