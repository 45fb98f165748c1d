import type { AppContext } from '#api/app-context.ts';
import type { Tx } from '#api/db.ts';
import type { StarPackage as StarPackageRow } from '#prisma/generated/client.ts';
import type { StarPackage } from '#shared/contract/payments.ts';
import { recordAudit } from './audit.ts';

const SMALLEST_FIRST = [{ stars: 'asc' }, { priceKopecks: 'asc' }, { id: 'asc' }] as const;

/** Packages that are for sale, the smallest first. */
export async function listPackagesForSale(app: Pick<AppContext, 'db'>): Promise<StarPackage[]> {
  const packages = await app.db.starPackage.findMany({ where: { isActive: true }, orderBy: [...SMALLEST_FIRST] });
  return packages.map(({ id, name, stars, priceKopecks }) => ({ id, name, stars, priceRub: priceKopecks / 100 }));
}

/** Null for a package that does not exist or is sold no more. */
export function findPackageForSale(app: Pick<AppContext, 'db'>, id: number): Promise<StarPackageRow | null> {
  return app.db.starPackage.findFirst({ where: { id, isActive: true } });
}

/** Every package, also those that are sold no more; these last. */
export function listAllPackages(app: Pick<AppContext, 'db'>): Promise<StarPackageRow[]> {
  return app.db.starPackage.findMany({ orderBy: [{ isActive: 'desc' }, ...SMALLEST_FIRST] });
}

/** Packages that came with the code as examples and are for sale. */
export function countSamplePackages(app: Pick<AppContext, 'db'>): Promise<number> {
  return app.db.starPackage.count({ where: { isActive: true, isSample: true } });
}

type PackageFields = Pick<StarPackageRow, 'name' | 'stars' | 'priceKopecks'>;

export function addPackage(app: Pick<AppContext, 'db'>, fields: PackageFields): Promise<StarPackageRow> {
  return app.db.$transaction(async (tx) => {
    const added = await tx.starPackage.create({ data: fields });
    await noteChange(tx, 'added', added);
    return added;
  });
}

/**
 * Changes a package; invoices that name it keep what they were written with. It is no sample afterwards, and for sale
 * again when it had been taken out. Null for an id that does not exist.
 */
export function editPackage(
  app: Pick<AppContext, 'db'>,
  id: number,
  fields: Partial<PackageFields>,
): Promise<StarPackageRow | null> {
  return app.db.$transaction(async (tx) => {
    const data = { ...fields, isSample: false, isActive: true };
    const { count } = await tx.starPackage.updateMany({ where: { id }, data });
    if (count === 0) return null;
    const edited = await tx.starPackage.findUniqueOrThrow({ where: { id } });
    await noteChange(tx, 'edited', edited);
    return edited;
  });
}

/** Takes a package out of the sale; invoices go on naming it. Null for an id that does not exist. */
export function removePackage(app: Pick<AppContext, 'db'>, id: number): Promise<StarPackageRow | null> {
  return app.db.$transaction(async (tx) => {
    const { count } = await tx.starPackage.updateMany({ where: { id }, data: { isActive: false } });
    if (count === 0) return null;
    const removed = await tx.starPackage.findUniqueOrThrow({ where: { id } });
    await noteChange(tx, 'removed', removed);
    return removed;
  });
}

async function noteChange(tx: Tx, change: string, { id, name, stars, priceKopecks }: StarPackageRow): Promise<void> {
  await recordAudit(tx, {
    ...{ adminId: null, action: 'package_changed', accountId: null },
    details: { change, packageId: id, name, stars, priceRub: priceKopecks / 100 },
  });
}
