import type { Tx } from '#api/database/database.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import type { StarPackage as StarPackageRow } from '#prisma/generated/client.ts';
import type { AuditDetails } from '#shared/contract/administration.ts';
import type { StarPackage } from '#shared/contract/payments.ts';

const SMALLEST_FIRST = [{ stars: 'asc' }, { priceKopecks: 'asc' }, { id: 'asc' }] as const;

/** Packages for sale, smallest first. */
export async function listPackagesForSale(app: WithDb): Promise<StarPackage[]> {
  const packages = await app.db.starPackage.findMany({ where: { isActive: true }, orderBy: [...SMALLEST_FIRST] });
  return packages.map(({ id, name, stars, priceKopecks }) => ({ id, name, stars, priceRub: priceKopecks / 100 }));
}

/** Null for a package that does not exist or is not for sale any more. */
export function findPackageForSale(app: WithDb, id: number): Promise<StarPackageRow | null> {
  return app.db.starPackage.findFirst({ where: { id, isActive: true } });
}

/** Every package, those not for sale last. */
export function listAllPackages(app: WithDb): Promise<StarPackageRow[]> {
  return app.db.starPackage.findMany({ orderBy: [{ isActive: 'desc' }, ...SMALLEST_FIRST] });
}

/** The number of packages for sale that came with the code as samples. */
export function countSamplePackages(app: WithDb): Promise<number> {
  return app.db.starPackage.count({ where: { isActive: true, isSample: true } });
}

type PackageChange = AuditDetails['package_changed']['change'];
type PackageFields = Pick<StarPackageRow, 'name' | 'stars' | 'priceKopecks'> &
  Partial<Pick<StarPackageRow, 'priceXtr'>>;

export function addPackage(app: WithDb, fields: PackageFields): Promise<StarPackageRow> {
  return app.db.$transaction(async (tx) => {
    const added = await tx.starPackage.create({ data: fields });
    await noteChange(tx, 'added', added);
    return added;
  });
}

/**
 * Changes a package. Existing invoices keep their price. Afterwards it is no sample, even if no field was changed,
 * because the operator has decided its price. Null for an unknown id.
 */
export function editPackage(app: WithDb, id: number, fields: Partial<PackageFields>): Promise<StarPackageRow | null> {
  return app.db.$transaction((tx) => change(tx, 'edited', id, { ...fields, isSample: false }));
}

/** Takes a package off sale. Existing invoices still refer to it. Null for an unknown id. */
export function removePackage(app: WithDb, id: number): Promise<StarPackageRow | null> {
  return app.db.$transaction((tx) => change(tx, 'removed', id, { isActive: false }));
}

/** Puts a package back on sale. Null for an unknown id. */
export function restorePackage(app: WithDb, id: number): Promise<StarPackageRow | null> {
  return app.db.$transaction((tx) => change(tx, 'restored', id, { isActive: true }));
}

async function change(tx: Tx, act: PackageChange, id: number, data: Partial<StarPackageRow>) {
  const { count } = await tx.starPackage.updateMany({ where: { id }, data });
  if (count === 0) return null;
  const changed = await tx.starPackage.findUniqueOrThrow({ where: { id } });
  await noteChange(tx, act, changed);
  return changed;
}

async function noteChange(
  tx: Tx,
  change: PackageChange,
  { id, name, stars, priceKopecks, priceXtr }: StarPackageRow,
): Promise<void> {
  await recordAudit(tx, {
    adminId: null,
    action: 'package_changed',
    accountId: null,
    details: { change, packageId: id, name, stars, priceRub: priceKopecks / 100, priceXtr },
  });
}
