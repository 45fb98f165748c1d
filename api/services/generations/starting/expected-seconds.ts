import { Prisma } from '#prisma/generated/client.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';

/** The estimate is the median of so many runs. */
const RUNS = 20;

/** Work that takes about the same time. */
interface Work {
  kind: GenerationKind;
  engine: string;
  settings: Prisma.InputJsonObject;
}

/**
 * How long recent work of this sort took from request to result, in whole seconds, at least 1, as a value in SQL. Null
 * without any. Re-rolls do not count, because they may make fewer outputs. Follows `generations_estimate_idx`.
 */
export function selectExpectedSeconds({ kind, engine, settings }: Work): Prisma.Sql {
  return Prisma.sql`(
    select greatest(1, round(percentile_cont(0.5) within group (order by took)::numeric))::int
    from (
      select extract(epoch from finished_at - created_at)::float8 as took from generations
      where kind = ${kind}::generation_kind and engine = ${engine}
        and coalesce(settings ->> 'duration', '') = ${String(settings.duration ?? '')}
        and status = 'completed' and finished_at is not null and reroll_of_id is null
      order by finished_at desc limit ${RUNS}
    ) as recent
    having count(*) > 0
  )`;
}
