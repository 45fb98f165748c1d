-- AlterTable
ALTER TABLE "engine_runs" ALTER COLUMN "generation_id" DROP NOT NULL;

-- Counted with the order that the job was for; an order of the house itself for its own day. An interrupted job counts as
-- uncertain only, so that the parts do not overlap.
CREATE OR REPLACE FUNCTION "counts_of"(one "engine_runs")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT counted.metric, counted_day(ordered.created_at),
        one.engine || '/' || one.kind || '/' || coalesce(one.currency, ''), counted.amount
    FROM (
        SELECT created_at FROM generations WHERE id = one.generation_id
        UNION ALL
        SELECT one.created_at WHERE one.generation_id IS NULL
    ) AS ordered, (
        SELECT 'jobs', 1::bigint
        UNION ALL
        SELECT 'jobMicros', one.cost_micros
        UNION ALL
        SELECT CASE WHEN one.status = 'uncertain' THEN 'uncertainMicros'
            WHEN one.reason = 'reroll' THEN 'rerollMicros' ELSE 'resubmitMicros' END, one.cost_micros
        WHERE one.status = 'uncertain' OR one.reason <> 'first'
    ) AS counted (metric, amount)
$$;
