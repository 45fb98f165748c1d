import { createRowId, findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { refuseUnknown, requireOwn } from '#api/services/core/ownership.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { SettingSet as SetRow } from '#prisma/generated/client.ts';
import { getToolSettings, type NewSettingSet, type SettingSet, settingSet } from '#shared/contract/tool-settings.ts';
import { SET_KINDS, SETS_MAX } from '#shared/rules/setting-sets.ts';

const NAME_CONSTRAINT = 'setting_sets_account_id_kind_name_key_key';

const lastSettings = getToolSettings.answer.shape.last;

/** The settings of the newest start of each tool by hand that is no re-roll, and the sets of this account by name. */
export async function listToolSettings({ db }: WithDb, accountId: number) {
  const [rows, sets] = await Promise.all([
    Promise.all(
      SET_KINDS.map((kind) =>
        db.generation.findFirst({
          where: { accountId, kind, rerollOfId: null, batchId: null },
          orderBy: { createdAt: 'desc' },
          select: { kind: true, settings: true },
        }),
      ),
    ),
    db.settingSet.findMany({ where: { accountId }, orderBy: [{ nameKey: 'asc' }, { id: 'asc' }] }),
  ]);
  const last = Object.fromEntries(rows.flatMap((row) => (row ? [[row.kind, row.settings]] : [])));
  return { last: lastSettings.parse(last), sets: sets.map(presentSet) };
}

/** Throws set_name_taken, sets_full. */
export async function createSettingSet(
  { db }: WithDb,
  accountId: number,
  { kind, name, settings }: NewSettingSet,
): Promise<SettingSet> {
  return db
    .$transaction(async (tx) => {
      await lockBalance(tx, accountId);
      if ((await tx.settingSet.count({ where: { accountId, kind } })) >= SETS_MAX) throw new AppError('sets_full');
      return presentSet(
        await tx.settingSet.create({ data: { id: createRowId(), accountId, kind, ...writeName(name), settings } }),
      );
    })
    .catch(explainTaken);
}

/** Throws set_not_found, set_forbidden, set_name_taken. */
export async function renameSettingSet(
  { db }: WithDb,
  accountId: number,
  id: string,
  name: string,
): Promise<SettingSet> {
  await requireOwnSet({ db }, accountId, id);
  const [renamed] = await db.settingSet
    .updateManyAndReturn({ where: { id, accountId }, data: writeName(name) })
    .catch(explainTaken);
  return renamed ? presentSet(renamed) : refuseUnknown('set');
}

/** Throws set_not_found, set_forbidden. */
export async function deleteSettingSet({ db }: WithDb, accountId: number, id: string): Promise<void> {
  await requireOwnSet({ db }, accountId, id);
  await db.settingSet.deleteMany({ where: { id } });
}

/** Gives the sets of one account to another. A name that the other has for this tool gets a number. */
export async function moveSettingSets(tx: Tx, fromId: number, intoId: number): Promise<void> {
  const there = await tx.settingSet.findMany({ where: { accountId: intoId }, select: { kind: true, nameKey: true } });
  const moving = await tx.settingSet.findMany({ where: { accountId: fromId }, orderBy: { id: 'asc' } });
  const taken = new Set([...there, ...moving].map(({ kind, nameKey }) => `${kind} ${nameKey}`));
  const owned = new Set(there.map(({ kind, nameKey }) => `${kind} ${nameKey}`));
  for (const { id, kind, name, nameKey } of moving) {
    let free = { name, nameKey };
    for (let number = 2; owned.has(`${kind} ${nameKey}`) && taken.has(`${kind} ${free.nameKey}`); number += 1) {
      free = writeName(`${name} (${number})`);
    }
    taken.add(`${kind} ${free.nameKey}`);
    await tx.settingSet.update({ where: { id }, data: { accountId: intoId, ...free } });
  }
}

async function requireOwnSet({ db }: WithDb, accountId: number, id: string): Promise<SetRow> {
  return requireOwn('set', accountId, isUuid(id) ? await db.settingSet.findUnique({ where: { id } }) : null);
}

function writeName(name: string): { name: string; nameKey: string } {
  const composed = name.normalize('NFC');
  return { name: composed, nameKey: composed.toLowerCase() };
}

function presentSet({ createdAt, ...row }: SetRow): SettingSet {
  return settingSet.parse({ ...row, createdAt: createdAt.toISOString() });
}

function explainTaken(error: unknown): never {
  if (findViolatedConstraint(error) === NAME_CONSTRAINT) throw new AppError('set_name_taken');
  throw error;
}
