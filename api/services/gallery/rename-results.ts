import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown } from '#api/services/core/ownership.ts';
import { toNamed, withNames } from '#api/services/generations/results/result-names.ts';
import { isPicture, listOwnItems } from '#api/services/generations/results/results.ts';
import { listProductMarks } from '#api/services/products/product-marks.ts';
import type { Result } from '#prisma/generated/client.ts';
import { fillNameTemplate } from '#shared/rules/result-names.ts';

interface Renaming {
  ids: readonly string[];
  /** With placeholders for each result. Null gives the usual names back, and so does what nothing is left of. */
  title: string | null;
}

/** Names results of this account, all or none, and returns what they are called then. Throws ITEM_REFUSALS. */
export async function renameResults(app: AppContext, accountId: number, { ids, title }: Renaming) {
  return app.db.$transaction(async (tx) => {
    const results = await listOwnItems(tx, accountId, ids);
    const products = await listProductMarks(tx, results);
    const renamed: Result[] = [];
    for (const result of results) {
      const named = toNamed(result, products.get(result.productId ?? '') ?? null);
      const own = title === null ? null : fillNameTemplate(title, named) || null;
      const { count } = await tx.result.updateMany({ where: { id: result.id }, data: { title: own } });
      // It was removed for good meanwhile.
      if (count === 0) refuseUnknown('image');
      renamed.push({ ...result, title: own });
    }
    const names = await withNames(tx, renamed);
    return {
      names: names.map((result) => ({
        id: isPicture(result) ? result.id : result.generationId,
        title: result.name.title,
        fileName: result.name.fileName,
      })),
    };
  });
}
