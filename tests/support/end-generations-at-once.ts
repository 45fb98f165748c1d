import type pg from 'pg';

/** Lets every new generation be over at once, so that an account may start any number of the same kind. */
export async function endGenerationsAtOnce(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(`
    CREATE FUNCTION end_at_once() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.status := 'failed'; RETURN NEW; END $$;
    CREATE TRIGGER end_at_once BEFORE INSERT ON generations FOR EACH ROW EXECUTE FUNCTION end_at_once()`);
}
