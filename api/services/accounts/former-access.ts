import type { Tx } from '#api/database/database.ts';
import { partChats } from './chats.ts';

/**
 * Call this with a new password, after `lockChat`, because somebody else may have known the former one. Open links to a
 * chat, an open change of the e-mail and a second factor that was not confirmed become void. Chats are parted unless
 * they are to be kept. Sessions are for the caller to end.
 */
export async function endFormerAccess(
  tx: Tx,
  { accountId, keepsChats = false }: { accountId: number; keepsChats?: boolean | undefined },
): Promise<void> {
  await tx.emailCode.updateMany({
    where: { accountId, purpose: 'change_email', usedAt: null },
    data: { usedAt: new Date() },
  });
  await tx.secondFactor.deleteMany({ where: { accountId, confirmedAt: null } });
  if (keepsChats) await tx.linkToken.deleteMany({ where: { accountId } });
  else await partChats(tx, accountId);
}
