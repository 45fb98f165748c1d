-- What the runs so far tell. The triggers may have noted some of them already, and they are the newest.
-- compatible: writes a table that the version before does not know
INSERT INTO "work_estimates" AS known ("kind", "engine", "duration", "recent_seconds", "expected_seconds")
SELECT kind, engine, duration, recent_seconds, median_seconds(recent_seconds)
FROM (
    SELECT kind, engine, coalesce(settings ->> 'duration', '') AS duration,
        (array_agg(extract(epoch FROM finished_at - created_at)::double precision ORDER BY created_at DESC))[1:20]
            AS recent_seconds
    FROM generations
    WHERE status = 'completed' AND finished_at IS NOT NULL AND reroll_of_id IS NULL
    GROUP BY kind, engine, coalesce(settings ->> 'duration', '')
) AS past
ON CONFLICT (kind, engine, duration) DO UPDATE SET
    recent_seconds = (known.recent_seconds || excluded.recent_seconds)[1:20],
    expected_seconds = median_seconds((known.recent_seconds || excluded.recent_seconds)[1:20]);
