import { z } from 'zod';
import { sendAccountEvent } from '#api/database/account-events.ts';
import { hashPassword } from '#api/services/accounts/passwords.ts';
import { startSession } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { reviewResult } from '#api/services/generations/results/lost-results.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import {
  createAccount,
  createGeneration,
  createImageResult,
  createPayment,
  createVideoResult,
} from '#tests/support/factories.ts';
import { makeAdmin } from '#tests/support/users.ts';
import { type FixtureEngine, PACES } from './fixture-engine.ts';

const newAccount = z.object({
  stars: z.int(),
  isPaid: z.boolean(),
  isVerified: z.boolean(),
  isAdmin: z.boolean(),
  password: z.string(),
});
const newImages = z.object({
  accountId: z.int(),
  kind: z.enum(['photosession', 'model_change']),
  title: z.string(),
  count: z.int(),
  width: z.int(),
  height: z.int(),
});
const ofAccount = z.object({ accountId: z.int() });
const newPayment = ofAccount.extend({ isTold: z.boolean() });
const newLoss = z.object({ generationId: z.uuid(), from: z.int() });
const newPace = ofAccount.extend({ pace: z.enum(PACES) });

/** Commands that set up a state which a person reaches only by waiting or paying. */
export const FIXTURE_COMMANDS = {
  /** Creates and signs in an account: `{accountId, email, sessionToken}`. Administrators have a confirmed second factor. */
  'fixture-account': async (app: AppContext, options: unknown) => {
    const { password, isAdmin, ...account } = newAccount.parse(options);
    const { id: accountId, email } = await createAccount(app, account);
    const passwordHash = await hashPassword(app, password);
    await app.db.account.update({
      where: { id: accountId },
      data: { passwordHash },
    });
    const { token } = await startSession(app.db, accountId, { userAgent: 'browser tests', sessionToken: null });
    if (isAdmin) await makeAdmin({ app }, accountId);
    return { accountId, email, sessionToken: token };
  },
  /** Creates a successful payment. `isTold`: open pages hear of it, as they do when its stars are credited. */
  'fixture-payment': async (app: AppContext, options: unknown) => {
    const { accountId, isTold } = newPayment.parse(options);
    await createPayment(app.db, accountId);
    if (isTold) await sendAccountEvent(app.db, { accountId, event: 'balance' });
  },
  /** Creates pictures of one generation, oldest first. They share their files, so that many are created quickly. */
  'fixture-images': async (app: AppContext, options: unknown) => {
    const { accountId, kind, title, count, width, height } = newImages.parse(options);
    const name = (number: number) => (count > 1 ? `${title} ${number}` : title);
    const newest = await createImageResult(app, accountId, {
      kind,
      width,
      height,
      title: name(count),
      position: count,
    });
    await app.db.result.createMany({
      // Lists are ordered by id, and ids begin with the time. The others get earlier ones.
      data: Array.from({ length: count - 1 }, (_, index) => ({
        ...newest,
        id: `${newest.id.slice(0, 24)}${String(index).padStart(12, '0')}`,
        position: index,
        title: name(index + 1),
      })),
    });
  },
  /** Starts a photo session that runs and has one frame ready: `{generationId}`. */
  'fixture-running': async (app: AppContext, options: unknown) => {
    const { accountId } = ofAccount.parse(options);
    const generationId = await createGeneration(app, accountId, 'photosession', 'generating');
    await createImageResult(app, accountId, { kind: 'photosession', generationId, width: 300, height: 400 });
    return { generationId };
  },
  /** Creates a finished video. */
  'fixture-video': async (app: AppContext, options: unknown) => {
    const { accountId } = ofAccount.parse(options);
    await createVideoResult(app, accountId, { title: 'Видео', width: 360, height: 480, seconds: 5 });
  },
  /** Removes the originals of a generation, from this position on. */
  'fixture-loss': async (app: AppContext, options: unknown) => {
    const { generationId, from } = newLoss.parse(options);
    for (const result of await app.db.result.findMany({ where: { generationId, position: { gte: from } } })) {
      await app.storage.remove(result.originalKey);
      await reviewResult(app, result);
    }
  },
};

/** Commands for orders at the fixture engine. */
export function createPaceCommands(engine: FixtureEngine) {
  return {
    /** Sets the pace of this account's orders from now on. */
    'fixture-pace': async (_app: AppContext, options: unknown) => {
      const { accountId, pace } = newPace.parse(options);
      engine.setPace(accountId, pace);
    },
    /** Ends the running generation as the watchdog does. Frames that are ready stay. */
    'fixture-time-out': async (app: AppContext, options: unknown) => {
      const { accountId } = ofAccount.parse(options);
      const active = await app.db.generation.findMany({
        where: { accountId, status: { in: [...ACTIVE_STATUSES] } },
      });
      for (const generation of active) await endGeneration(app, generation, 'timed_out');
      engine.forget(accountId);
    },
  };
}
