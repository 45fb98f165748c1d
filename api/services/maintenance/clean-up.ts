import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { eraseDueAccounts } from '#api/services/account-lifecycle/erasure.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { removeOldTelegramRows } from '#api/services/chat/updates.ts';
import { forgetOldNames } from '#api/services/chat/users.ts';
import { removeOldLimitCounts } from '#api/services/core/limits.ts';
import { assertHoldsOurFiles } from '#api/services/core/storage-sample.ts';
import { reviewLostResults } from '#api/services/generations/results/lost-results.ts';
import { removeResult } from '#api/services/generations/results/result-files.ts';
import { failAbandonedPacks, removeOldPacks } from '#api/services/packs/packs.ts';
import { removeUnusedPhotos } from '#api/services/photos/unused.ts';
import { DELETED_KEPT_MS, EVENTS_KEPT_MONTHS } from '#shared/rules/retention.ts';

/** Expired codes stay this long, so that «already used» differs from «never existed». */
const CODE_KEPT_MS = 24 * 60 * 60_000;
/** A work folder this old belongs to a process that was killed. */
const WORK_FOLDER_KEPT_MS = 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;

/**
 * Removes expired sessions, old mailed codes, results deleted long ago, packs of last week, photos that were never used,
 * the data of accounts whose owners asked for it 30 days ago or never confirmed their e-mail, names of chats without an
 * account, old counted events, counts of attempts whose window is over, old mails of the outbox, and the work folders of
 * killed processes. Fails packs that nobody makes any more. Looks for lost results again. A step that fails does not
 * hold up the others.
 * Throws AggregateError with what has failed.
 */
export async function removeExpired(app: AppContext): Promise<void> {
  const now = Date.now();
  const steps: Record<string, () => Promise<unknown>> = {
    sessions: () => app.db.session.deleteMany({ where: { expiresAt: { lt: new Date(now) } } }),
    codes: () => app.db.emailCode.deleteMany({ where: { expiresAt: { lt: new Date(now - CODE_KEPT_MS) } } }),
    results: () => inOurStorage(app, () => removeDeletedResults(app, new Date(now - DELETED_KEPT_MS))),
    packs: () => inOurStorage(app, () => removeOldPacks(app)),
    abandonedPacks: () => failAbandonedPacks(app),
    photos: () => inOurStorage(app, () => removeUnusedPhotos(app)),
    accounts: () => inOurStorage(app, () => eraseDueAccounts(app)),
    events: () => removeOldEvents(app),
    telegramRows: () => removeOldTelegramRows(app),
    telegramNames: () => forgetOldNames(app),
    limits: () => removeOldLimitCounts(app),
    mails: () => app.mailer.removeOld(),
    workFolders: () => removeStaleWorkFolders(path.join(app.config.dataDir, 'work'), now - WORK_FOLDER_KEPT_MS),
    lostResults: () => reviewLostResults(app),
  };
  const done: Record<string, unknown> = {};
  const failures: Record<string, unknown> = {};
  for (const [name, step] of Object.entries(steps)) {
    try {
      done[name] = await step();
    } catch (error) {
      failures[name] = error;
    }
  }
  app.log.debug(done, 'cleaned up');
  const failed = Object.keys(failures);
  if (failed.length > 0) {
    throw new AggregateError(Object.values(failures), `The clean-up could not finish: ${failed.join(', ')}`);
  }
}

/** Elsewhere the files would stay while their rows go, or files of another installation would go. */
async function inOurStorage<T>(app: AppContext, remove: () => Promise<T>): Promise<T> {
  await assertHoldsOurFiles(app);
  return remove();
}

/** Returns the number removed. One that a running generation is made from waits for the next run. */
async function removeDeletedResults(app: AppContext, before: Date): Promise<number> {
  const kept: string[] = [];
  for (let removed = 0; ; ) {
    const old = { deletedAt: { lt: before }, id: { notIn: kept } };
    const results = await app.db.result.findMany({ where: old, take: REMOVED_AT_ONCE });
    if (results.length === 0) return removed;
    for (const result of results) {
      if (await removeResult(app, result)) removed++;
      else kept.push(result.id);
    }
  }
}

function removeOldEvents(app: AppContext): Promise<number> {
  return app.db.$executeRaw`
    delete from analytics_events where created_at < now() - ${EVENTS_KEPT_MONTHS} * interval '1 month'`;
}

async function removeStaleWorkFolders(parent: string, olderThanMs: number): Promise<void> {
  const names = await readdir(parent).catch(whenMissing([]));
  for (const name of names) {
    const folder = path.join(parent, name);
    // Its own task may have removed it since the listing.
    const mtimeMs = await stat(folder).then((stats) => stats.mtimeMs, whenMissing(null));
    if (mtimeMs !== null && mtimeMs < olderThanMs) await rm(folder, { recursive: true, force: true });
  }
}

/** For `catch`: the substitute for a missing file or folder. Other errors are thrown on. */
function whenMissing<T>(substitute: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return substitute;
    throw error;
  };
}
