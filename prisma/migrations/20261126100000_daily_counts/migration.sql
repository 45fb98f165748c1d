-- CreateTable
CREATE TABLE "daily_counts" (
    "metric" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "about" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "daily_counts_pkey" PRIMARY KEY ("metric","day","about")
);

-- CreateTable
CREATE TABLE "count_changes" (
    "id" BIGSERIAL NOT NULL,
    "metric" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "about" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "count_changes_pkey" PRIMARY KEY ("id")
);

-- The day in Moscow, whose offset has been constant since before the service began.
-- compatible: the version before calls no functions
CREATE FUNCTION "counted_day"(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS $$
    SELECT (moment AT TIME ZONE 'UTC' + interval '3 hours')::date
$$;

-- What one row adds to the counts, for each table whose rows are counted. A row whose moment is unknown adds nothing.
-- compatible: the version before calls no functions
CREATE FUNCTION "counts_of"(one "accounts")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT 'registrations', counted_day(one.created_at), '', 1::bigint
$$;

-- A generation that has ended. A video counts on the day on which it was ready, and all else on that of the order.
-- compatible: the version before calls no functions
CREATE FUNCTION "counts_of"(one "generations")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT counted.metric, counted_day(counted.moment), counted.about, counted.amount
    FROM (VALUES
        ('videos', one.kind = 'video' AND one.status = 'completed', one.finished_at, '', 1),
        ('completed', one.status = 'completed', one.created_at, one.engine || '/' || one.kind, 1),
        ('waited', one.status = 'completed', one.created_at,
            one.engine || '/' || one.kind || '/' || round(extract(epoch FROM one.finished_at - one.created_at)), 1),
        ('failed', one.status = 'failed', one.created_at,
            one.engine || '/' || one.kind || '/' || coalesce(one.failure_code, ''), 1),
        ('waitedInMonth', one.status = 'completed', date_trunc('month', one.created_at + interval '3 hours', 'UTC'),
            one.engine || '/' || one.kind || '/' || round(extract(epoch FROM one.finished_at - one.created_at)), 1),
        ('starsSpent', true, one.created_at, one.engine || '/' || one.kind,
            -(SELECT sum(delta) FROM star_entries WHERE generation_id = one.id))
    ) AS counted (metric, applies, moment, about, amount)
    WHERE counted.applies AND counted.about IS NOT NULL AND one.status IN ('completed', 'failed')
$$;

-- An entry of a generation that has ended. Earlier ones are counted with its end.
-- compatible: the version before calls no functions
CREATE FUNCTION "counts_of"(one "star_entries")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT 'starsSpent', counted_day(created_at), engine || '/' || kind, -one.delta::bigint FROM generations
    WHERE id = one.generation_id AND status IN ('completed', 'failed')
$$;

-- Counted with the order that the job was for. An interrupted job counts as uncertain only, so that the parts do not
-- overlap.
-- compatible: the version before calls no functions
CREATE FUNCTION "counts_of"(one "engine_runs")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT counted.metric, counted_day(generations.created_at),
        one.engine || '/' || one.kind || '/' || coalesce(one.currency, ''), counted.amount
    FROM generations, (
        SELECT 'jobs', 1::bigint
        UNION ALL
        SELECT 'jobMicros', one.cost_micros
        UNION ALL
        SELECT CASE WHEN one.status = 'uncertain' THEN 'uncertainMicros'
            WHEN one.reason = 'reroll' THEN 'rerollMicros' ELSE 'resubmitMicros' END, one.cost_micros
        WHERE one.status = 'uncertain' OR one.reason <> 'first'
    ) AS counted (metric, amount)
    WHERE generations.id = one.generation_id
$$;

-- compatible: the version before calls no functions
CREATE FUNCTION "counts_of"(one "payments")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT counted.metric, counted_day(counted.moment),
        one.provider || '/' || one.currency || CASE WHEN one.is_test THEN '/test' ELSE '' END, counted.amount
    FROM (
        SELECT 'pendingPayments', one.created_at, 1::bigint WHERE one.status = 'pending' AND one.dismissed_at IS NULL
        UNION ALL
        SELECT 'payments', one.paid_at, 1 WHERE one.status = 'succeeded'
        UNION ALL
        SELECT 'paidStars', one.paid_at, one.stars WHERE one.status = 'succeeded'
        UNION ALL
        SELECT 'paidMinor', one.paid_at, one.amount_minor WHERE one.status = 'succeeded'
    ) AS counted (metric, moment, amount)
$$;

-- compatible: the version before calls no functions
CREATE FUNCTION "counts_of"(one "refunds")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT counted.metric, counted_day(one.finished_at),
        provider || '/' || currency || CASE WHEN is_test THEN '/test' ELSE '' END, counted.amount
    FROM payments, (
        SELECT 'refunds', 1::bigint
        UNION ALL
        SELECT 'refundedStars', one.stars
        UNION ALL
        SELECT 'refundedMinor', one.amount_minor
    ) AS counted (metric, amount)
    WHERE payments.id = one.payment_id AND one.status = 'succeeded'
$$;

-- compatible: the version before calls no functions
CREATE FUNCTION "counts_of"(one "analytics_events")
RETURNS TABLE (metric text, day date, about text, amount bigint) LANGUAGE sql STABLE AS $$
    SELECT 'events', counted_day(one.created_at), one.name, 1::bigint
$$;

-- Writes only new rows: nobody waits for anybody. The clean-up adds them up.
-- compatible: the version before calls no functions
CREATE FUNCTION "keep_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO count_changes (metric, day, about, amount)
        SELECT metric, day, about, amount FROM counts_of(NEW) WHERE day IS NOT NULL AND amount <> 0;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO count_changes (metric, day, about, amount)
        SELECT metric, day, about, -amount FROM counts_of(OLD) WHERE day IS NOT NULL AND amount <> 0;
    ELSE
        INSERT INTO count_changes (metric, day, about, amount)
        SELECT metric, day, about, sum(amount) FROM (
            SELECT metric, day, about, amount FROM counts_of(NEW)
            UNION ALL
            SELECT metric, day, about, -amount FROM counts_of(OLD)
        ) AS changed
        WHERE day IS NOT NULL GROUP BY metric, day, about HAVING sum(amount) <> 0;
    END IF;
    RETURN NULL;
END
$$;
