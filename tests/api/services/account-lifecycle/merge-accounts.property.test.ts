import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '#api/platform/errors.ts';
import { findDiscrepancies } from '#api/services/administration/book-checks.ts';
import { closeReport } from '#api/services/administration/reports.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { acceptBotTerms, ensureTelegramAccount, upsertTelegramUser } from '#api/services/chat/users.ts';
import { reportResult } from '#api/services/generations/reports/result-reports.ts';
import type { NewResult } from '#api/services/generations/results/result-files.ts';
import { completeGeneration, endGeneration } from '#api/services/generations/running/outcome.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { grantSignupBonus } from '#api/services/stars/ledger.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { createAccount, createStoredPhoto } from '#tests/support/factories.ts';
import { linkChat } from '#tests/support/link-chat.ts';
import { propertyRuns } from '#tests/support/property-runs.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
let users = 9_000;

const step = fc.record({
  side: fc.constantFrom('telegram' as const, 'site' as const),
  what: fc.constantFrom('start-video', 'start-session', 'complete', 'fail', 'cancel', 'complain'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Side {
  accountId: number;
  photoId: string;
}

test('whatever runs while two accounts become one, nothing stays behind, no star is lost or doubled, and the books agree', {
  // A retry would draw other cases and hide the one that failed.
  retry: 0,
}, async () => {
  const { app } = testApp;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 5 }),
      fc.array(step, { maxLength: 5 }),
      fc.boolean(),
      async (before, during, hasGift) => {
        const { telegram, site, link } = await createPair(app, hasGift);
        for (const one of before) await perform(app, one.side === 'site' ? site : telegram, one);
        await Promise.all([link(), ...during.map((one) => perform(app, one.side === 'site' ? site : telegram, one))]);
        await endEverything(app, site.accountId);
        await expectOneAccount(app, telegram.accountId, site.accountId, hasGift);
      },
    ),
    // A repeat would interleave the steps differently, so a failing case is not shrunk.
    { numRuns: propertyRuns(30), endOnFailure: true },
  );
});

/** A new account of Telegram with the gift of two stars, and one of the site with six stars and perhaps the gift. */
async function createPair(app: AppContext, hasGift: boolean) {
  const id = ++users;
  await upsertTelegramUser(app, { id, first_name: 'Анна' });
  await acceptBotTerms(app, BigInt(id));
  const { accountId } = await ensureTelegramAccount(app, BigInt(id));
  const account = await createAccount(app, { stars: 6 });
  if (hasGift) await app.db.$transaction((tx) => grantSignupBonus(tx, account.id));
  return {
    telegram: { accountId, photoId: (await createStoredPhoto(app, accountId)).id },
    site: { accountId: account.id, photoId: (await createStoredPhoto(app, account.id)).id },
    link: () => linkChat(app, { accountId: account.id, chatId: id }),
  };
}

async function perform(app: AppContext, { accountId, photoId }: Side, { what }: Step): Promise<void> {
  const order = { account: { id: accountId }, photos: { subject: { imageId: photoId } }, key: null };
  if (what === 'start-video') {
    return allowed(startGeneration(app, { ...order, kind: 'video', choice: videoSettings.parse({}) }));
  }
  if (what === 'start-session') {
    return allowed(startGeneration(app, { ...order, kind: 'photosession', choice: {} }));
  }
  if (what === 'complain') return allowed(complain(app, accountId));
  const active = { accountId, status: { in: [...ACTIVE_STATUSES] } };
  const generation = await app.db.generation.findFirst({ where: active });
  if (!generation) return;
  // A worker also uses what it read before the accounts were merged.
  if (what === 'complete') await completeGeneration(app, generation, [result(generation.kind === 'video')]);
  else await endGeneration(app, generation, what === 'cancel' ? 'cancelled' : 'engine_error');
}

/** Complains about a result, and has its stars returned. */
async function complain(app: AppContext, accountId: number): Promise<void> {
  const found = await app.db.result.findFirst({ where: { accountId, reports: { none: {} } } });
  if (!found) return;
  await reportResult(app, accountId, found, { reason: 'person_distorted', comment: null });
  const { id } = await app.db.resultReport.findFirstOrThrow({ where: { resultId: found.id } });
  await closeReport(app, 3, id, { decision: 'stars_returned', answer: null });
}

function result(isVideo: boolean): NewResult {
  return {
    position: 0,
    originalKey: 'o',
    watermarkedKey: 'w',
    posterKey: 'p',
    thumbnailKey: 't',
    bytes: 1,
    posterBytes: 1,
    thumbnailBytes: 1,
    contentType: isVideo ? 'video/mp4' : 'image/jpeg',
    width: 1080,
    height: 1440,
  };
}

/** Ignores refusals, which change nothing. */
async function allowed(action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function endEverything(app: AppContext, accountId: number): Promise<void> {
  const active = await app.db.generation.findMany({ where: { accountId, status: { in: [...ACTIVE_STATUSES] } } });
  for (const generation of active) await endGeneration(app, generation, 'engine_error');
}

/** The final cost of all generations that an account has paid for. Another account may own them now. */
async function countSpent(db: AppContext['db'], accountId: number): Promise<number> {
  const holds = await db.starEntry.findMany({ where: { accountId, kind: 'hold' } });
  const ids = holds.flatMap(({ generationId }) => generationId ?? []);
  // What a complaint has returned stays, because it is no gift.
  const where = { generationId: { in: ids }, kind: { not: 'correction' as const } };
  const { _sum } = await db.starEntry.aggregate({ where, _sum: { delta: true } });
  return 0 - (_sum.delta ?? 0);
}

async function expectOneAccount(app: AppContext, fromId: number, intoId: number, hasGift: boolean): Promise<void> {
  const { db } = app;
  const owned = { where: { accountId: fromId } };
  const left = [await db.photo.count(owned), await db.generation.count(owned), await db.result.count(owned)];
  expect([...left, await db.resultReport.count(owned)]).toEqual([0, 0, 0, 0]);
  const from = await db.account.findUniqueOrThrow({ where: { id: fromId } });
  const into = await db.account.findUniqueOrThrow({ where: { id: intoId } });
  expect([from.starBalance, from.mergedIntoId]).toEqual([0, intoId]);

  const family = { accountId: { in: [fromId, intoId] } };
  const { _sum } = await db.starEntry.aggregate({ where: family, _sum: { delta: true } });
  expect(into.starBalance).toBe(_sum.delta);
  const spent = await db.starEntry.aggregate({
    where: { ...family, generationId: { not: null } },
    _sum: { delta: true },
  });
  const corrections = await db.starEntry.aggregate({
    where: { ...family, kind: 'correction', generationId: null },
    _sum: { delta: true },
  });
  // The six stars of the site's account are a correction too.
  const takenBack = 6 - (corrections._sum.delta ?? 0);
  expect(into.starBalance).toBe(6 + 2 + (hasGift ? 2 : 0) - takenBack + (spent._sum.delta ?? 0));
  // Of the gift in Telegram only the final cost of the generations started there is not taken back.
  expect(takenBack).toBe(hasGift ? 2 - (await countSpent(db, fromId)) : 0);
  const transfers = await db.starEntry.aggregate({ where: { ...family, kind: 'transfer' }, _sum: { delta: true } });
  expect(transfers._sum.delta ?? 0).toBe(0);
  expect(await db.$transaction((tx) => findDiscrepancies(tx))).toEqual([]);
}
