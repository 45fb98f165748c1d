-- CreateTable
CREATE TABLE "work_estimates" (
    "kind" "generation_kind" NOT NULL,
    "engine" TEXT NOT NULL,
    "duration" TEXT NOT NULL,
    "recent_seconds" DOUBLE PRECISION[],
    "expected_seconds" INTEGER NOT NULL,

    CONSTRAINT "work_estimates_pkey" PRIMARY KEY ("kind","engine","duration")
);

-- compatible: the version before calls no functions
CREATE FUNCTION "median_seconds"(seconds double precision[]) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(1, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY one)::numeric))::integer
    FROM unnest(seconds) AS one
$$;

-- compatible: the version before calls no functions
CREATE FUNCTION "note_work_time"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status = 'completed' THEN RETURN NULL; END IF;
    INSERT INTO work_estimates AS known (kind, engine, duration, recent_seconds, expected_seconds)
    SELECT NEW.kind, NEW.engine, coalesce(NEW.settings ->> 'duration', ''), ARRAY[took], median_seconds(ARRAY[took])
    FROM (SELECT extract(epoch FROM NEW.finished_at - NEW.created_at)::double precision AS took) AS run
    ON CONFLICT (kind, engine, duration) DO UPDATE SET
        recent_seconds = (excluded.recent_seconds || known.recent_seconds)[1:20],
        expected_seconds = median_seconds((excluded.recent_seconds || known.recent_seconds)[1:20]);
    RETURN NULL;
END
$$;
