import { findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { checkWithinLimit } from '#api/services/core/limits.ts';
import type { SecondFactor } from '#prisma/generated/client.ts';
import type { SecondFactorState } from '#shared/contract/administration.ts';
import { isLongEnough, lockProven, proveOwnPassword } from './passwords.ts';
import {
  canOpenSecret,
  describeTotp,
  findTotpStep,
  hashRecoveryCode,
  makeRecoveryCodes,
  makeTotpSecret,
  openSecret,
  sealSecret,
} from './second-factor.ts';
import { hashToken, type OwnSession } from './sessions.ts';

const CONFIRMED_MS = 15 * 60_000;

export async function readSecondFactor(app: AppContext, { accountId, token }: OwnSession): Promise<SecondFactorState> {
  const factor = await findSetUp(app, accountId);
  const confirmedAt = await readConfirmedAt(app, token);
  const until = confirmedAt && new Date(confirmedAt.getTime() + CONFIRMED_MS);
  return {
    isSetUp: factor !== null,
    confirmedUntil: factor && until && until > new Date() ? until.toISOString() : null,
    recoveryCodesLeft: factor?.recoveryHashes.length ?? 0,
  };
}

/**
 * Begins to set up the second factor. Returns what the authenticator app needs; a repeat makes another secret. Throws
 * AppError wrong_password, too_many_requests, password_change_required for a short password, second_factor_exists.
 */
export async function beginSecondFactor(
  app: AppContext,
  { accountId, email, password }: { accountId: number; email: string; password: string },
): Promise<{ secret: string; address: string }> {
  const proof = await proveOwnPassword(app, accountId, password);
  if (await findSetUp(app, accountId)) throw new AppError('second_factor_exists');
  const secret = makeTotpSecret();
  const known = await app.db.secondFactor.findUnique({ where: { accountId } });
  const isLong = await app.db
    .$transaction(async (tx) => {
      const account = await lockProven(tx, proof);
      // Somebody may have become an administrator with a short password since the sign-in.
      if (!isLongEnough(app, account, password)) {
        await tx.account.update({ where: { id: accountId }, data: { hasPrintedPassword: true } });
        return false;
      }
      // One that is confirmed at the same moment stays.
      const { secret: former, confirmedAt } = known ?? {};
      if (known) await tx.secondFactor.deleteMany({ where: { accountId, secret: former, confirmedAt } });
      const sealed = sealSecret(app.config.sessionSecret, accountId, secret);
      await tx.secondFactor.create({ data: { accountId, secret: sealed } });
      return true;
    })
    .catch((error: unknown) => {
      throw findViolatedConstraint(error) ? new AppError('second_factor_exists') : error;
    });
  if (!isLong) throw new AppError('password_change_required');
  return describeTotp(secret, email);
}

/**
 * Ends setting up with a first code, which also confirms the session. The recovery codes are stored nowhere else.
 * Throws AppError second_factor_required, second_factor_exists, second_factor_code_wrong, too_many_requests.
 */
export async function finishSecondFactor(
  app: AppContext,
  { accountId, token, code }: OwnSession & { code: string },
): Promise<{ recoveryCodes: string[] }> {
  const factor = await app.db.secondFactor.findUnique({ where: { accountId } });
  if (!factor || !canOpenSecret(app.config.sessionSecret, accountId, factor.secret)) {
    throw new AppError('second_factor_required');
  }
  if (factor.confirmedAt) throw new AppError('second_factor_exists');
  await assertCode(app, factor, code);
  const recoveryCodes = makeRecoveryCodes();
  const recoveryHashes = recoveryCodes.map((one) => hashRecoveryCode(app.config.sessionSecret, accountId, one));
  await app.db.$transaction(async (tx) => {
    // One that was begun anew in the meantime, or ended with the password, is not confirmed by this code.
    const { count } = await tx.secondFactor.updateMany({
      where: { accountId, secret: factor.secret, confirmedAt: null },
      data: { confirmedAt: new Date(), recoveryHashes },
    });
    if (count === 0) throw new AppError('second_factor_required');
    await noteConfirmed(tx, token);
  });
  app.log.info({ action: 'second_factor_set_up', accountId }, 'second factor set up');
  return { recoveryCodes };
}

/**
 * Confirms the session for fifteen minutes, by the password and a code of the app or a recovery code. Each code is used
 * once. Throws AppError second_factor_required, wrong_password, second_factor_code_wrong, too_many_requests.
 */
export async function confirmAdministrator(
  app: AppContext,
  { accountId, token, password, code }: OwnSession & { password: string; code: string },
): Promise<void> {
  const factor = await findSetUp(app, accountId);
  if (!factor) throw new AppError('second_factor_required');
  const proof = await proveOwnPassword(app, accountId, password);
  await assertCode(app, factor, code);
  await app.db.$transaction(async (tx) => {
    await lockProven(tx, proof);
    await noteConfirmed(tx, token);
  });
  app.log.info({ action: 'administrator_confirmed', accountId }, 'administrator confirmed');
}

/**
 * Call this before an administrator moves money or stars. Throws AppError second_factor_required until a second factor
 * is set up, and confirmation_required without a confirmation of the last fifteen minutes.
 */
export async function assertConfirmed(app: AppContext, { accountId, token }: OwnSession): Promise<void> {
  if (!(await findSetUp(app, accountId))) throw new AppError('second_factor_required');
  const confirmedAt = await readConfirmedAt(app, token);
  if (!confirmedAt || Date.now() - confirmedAt.getTime() > CONFIRMED_MS) throw new AppError('confirmation_required');
}

/** Null until it was set up to the end. */
async function findSetUp(
  app: WithDb & { config: Pick<AppContext['config'], 'sessionSecret'> },
  accountId: number,
): Promise<SecondFactor | null> {
  const factor = await app.db.secondFactor.findUnique({ where: { accountId, confirmedAt: { not: null } } });
  // With another SESSION_SECRET nobody can use it any more, so it is set up anew.
  return factor && canOpenSecret(app.config.sessionSecret, accountId, factor.secret) ? factor : null;
}

async function readConfirmedAt(app: WithDb, token: string | null): Promise<Date | null> {
  if (token === null) return null;
  const session = await app.db.session.findUnique({
    where: { tokenHash: hashToken(token) },
    select: { confirmedAt: true },
  });
  return session?.confirmedAt ?? null;
}

async function noteConfirmed(tx: Tx, token: string | null): Promise<void> {
  if (token === null) throw new AppError('unauthorized');
  const { count } = await tx.session.updateMany({
    where: { tokenHash: hashToken(token) },
    data: { confirmedAt: new Date() },
  });
  if (count === 0) throw new AppError('unauthorized');
}

async function assertCode(app: AppContext, factor: SecondFactor, code: string): Promise<void> {
  const isRight = await checkWithinLimit(app, LIMITS.secondFactor, String(factor.accountId), () =>
    useCode(app, factor, code),
  );
  if (!isRight) throw new AppError('second_factor_code_wrong');
}

/** Uses the code up, in one statement each, so that two requests at once cannot both have it. */
async function useCode(app: AppContext, { accountId, secret, lastStep }: SecondFactor, code: string): Promise<boolean> {
  const { sessionSecret } = app.config;
  const step = findTotpStep(openSecret(sessionSecret, accountId, secret), code.replaceAll(/\s/g, ''), lastStep);
  if (step !== null) {
    const { count } = await app.db.secondFactor.updateMany({
      where: { accountId, lastStep: { lt: step } },
      data: { lastStep: step },
    });
    return count === 1;
  }
  const hash = hashRecoveryCode(sessionSecret, accountId, code);
  const used = await app.db.$executeRaw`
    update second_factors set recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
    where account_id = ${accountId} and ${hash}::bytea = any(recovery_hashes)`;
  return used === 1;
}
