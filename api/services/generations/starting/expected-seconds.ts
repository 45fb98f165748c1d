import type { Db, Tx } from '#api/database/database.ts';
import type { Generation, Prisma } from '#prisma/generated/client.ts';

/** The estimate is the median of so many runs. */
const RUNS = 20;

/** Work that takes about the same time. */
type Work = Pick<Generation, 'kind' | 'engine'> & { settings: Prisma.InputJsonObject };

/**
 * How long recent work of this sort took from request to result, in whole seconds, at least 1. Null without any.
 * Re-rolls do not count, because they may make fewer outputs. Follows `generations_estimate_idx`.
 */
export async function findExpectedSeconds(db: Db | Tx, { kind, engine, settings }: Work): Promise<number | null> {
  const [row] = await db.$queryRaw<{ seconds: number }[]>`
    select greatest(1, round(percentile_cont(0.5) within group (order by took)::numeric))::int as seconds
    from (
      select extract(epoch from finished_at - created_at)::float8 as took from generations
      where kind = ${kind}::generation_kind and engine = ${engine}
        and coalesce(settings ->> 'duration', '') = ${String(settings.duration ?? '')}
        and status = 'completed' and finished_at is not null and reroll_of_id is null
      order by finished_at desc limit ${RUNS}
    ) as recent
    having count(*) > 0`;
  return row?.seconds ?? null;
}
