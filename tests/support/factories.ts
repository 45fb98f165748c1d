import { randomUUID } from 'node:crypto';
import type { AppContext } from '#api/app-context.ts';
import type { Account, Photo } from '#prisma/generated/client.ts';

interface NewAccount {
  isVerified?: boolean;
  /** Written to the ledger too, as a correction. */
  stars?: number;
  isPaid?: boolean;
}

/** An account written straight to the database, for tests that are not about registering. */
export async function createAccount(app: Pick<AppContext, 'db'>, options: NewAccount = {}): Promise<Account> {
  const { isVerified = true, stars = 2, isPaid = false } = options;
  const email = `${randomUUID()}@example.com`;
  return app.db.$transaction(async (tx) => {
    const account = await tx.account.create({
      data: {
        email,
        emailKey: email,
        passwordHash: 'none',
        username: 'person',
        emailVerifiedAt: isVerified ? new Date() : null,
        starBalance: stars,
      },
    });
    if (stars !== 0) {
      await tx.starEntry.create({
        data: { accountId: account.id, kind: 'correction', delta: stars, causeKey: `correction:${randomUUID()}` },
      });
    }
    if (isPaid) await createPayment(tx, account.id);
    return account;
  });
}

/** A payment that went through: makes its account premium. */
export async function createPayment(tx: Pick<AppContext['db'], 'payment'>, accountId: number): Promise<void> {
  await tx.payment.create({
    data: { accountId, status: 'succeeded', stars: 10, amountKopecks: 50_000, paidAt: new Date() },
  });
}

/** A photo's row without its files. */
export async function createPhoto(app: Pick<AppContext, 'db'>, accountId: number): Promise<Photo> {
  const folder = `photos/${accountId}/${randomUUID()}`;
  return app.db.photo.create({
    data: {
      accountId,
      name: 'photo.jpg',
      type: 'image/jpeg',
      size: 1000,
      width: 1200,
      height: 1600,
      masterKey: `${folder}/master.jpg`,
      previewKey: `${folder}/preview.webp`,
      thumbnailKey: `${folder}/thumbnail.webp`,
    },
  });
}
