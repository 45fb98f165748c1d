import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { hashToken, type OwnSession } from '#api/services/accounts/sessions.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import type { PushDevice, SubscribeBody } from '#shared/contract/push-devices.ts';

/** Subscribed browsers of one account. Beyond that the oldest subscription is removed. */
export const PUSH_DEVICES_MAX = 20;

/**
 * Binds a browser's subscription to the caller's session, whoever had it before; it ends with the session. Throws
 * AppError push_service_unknown, and unauthorized when the session has ended in the meantime.
 */
export async function subscribeToPush(
  app: AppContext,
  { accountId, token, subscription }: OwnSession & { subscription: SubscribeBody },
): Promise<{ id: string }> {
  const { endpoint, keys, replaces } = subscription;
  if (!app.push.isAllowed(endpoint)) throw new AppError('push_service_unknown');
  return app.db.$transaction(async (tx) => {
    // The lock keeps two browsers from both taking the last place.
    await tx.$executeRaw`select from accounts where id = ${accountId} for no key update`;
    const session = token
      ? await tx.session.findFirst({
          where: { tokenHash: hashToken(token), accountId },
          select: { id: true, userAgent: true },
        })
      : null;
    if (!session) throw new AppError('unauthorized');
    if (replaces && replaces !== endpoint)
      await tx.pushSubscription.deleteMany({ where: { endpoint: replaces, accountId } });
    const binding = { accountId, sessionId: session.id, ...keys, userAgent: session.userAgent };
    const { id } = await tx.pushSubscription.upsert({
      where: { endpoint },
      create: { endpoint, ...binding },
      update: binding,
      select: { id: true },
    });
    await removeOldest(tx, accountId);
    return { id };
  });
}

async function removeOldest(tx: Tx, accountId: number): Promise<void> {
  const surplus = await tx.pushSubscription.findMany({
    where: { accountId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip: PUSH_DEVICES_MAX,
    select: { id: true },
  });
  if (surplus.length === 0) return;
  await tx.pushSubscription.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
}

/** Browsers that get notices: the caller's own first, then the newest. */
export async function listPushDevices(app: WithDb, { accountId, token }: OwnSession): Promise<PushDevice[]> {
  const own = token ? hashToken(token) : null;
  const subscriptions = await app.db.pushSubscription.findMany({
    where: { accountId, session: { expiresAt: { gt: new Date() } } },
    orderBy: { createdAt: 'desc' },
    include: { session: { select: { tokenHash: true } } },
  });
  return subscriptions
    .map(({ id, userAgent, createdAt, lastSentAt, session }) => ({
      id,
      userAgent,
      createdAt: createdAt.toISOString(),
      lastSentAt: lastSentAt?.toISOString() ?? null,
      isCurrent: own !== null && Buffer.compare(session.tokenHash, own) === 0,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** Throws AppError push_device_not_found, push_device_forbidden. */
export async function removePushDevice(
  app: WithDb,
  { accountId, id }: { accountId: number; id: string },
): Promise<void> {
  requireOwn('push_device', accountId, await app.db.pushSubscription.findUnique({ where: { id } }));
  const { count } = await app.db.pushSubscription.deleteMany({ where: { id, accountId } });
  if (count === 0) throw new AppError('push_device_not_found');
}
