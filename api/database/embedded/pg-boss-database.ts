import type pg from 'pg';
import type { Db as PgBossDatabase } from 'pg-boss';
import type { ListeningPool } from './listening-pool.ts';

/**
 * Lets pg-boss share the one connection of the embedded database. A query that bypassed the pool would run inside
 * whatever transaction happens to be open.
 */
export function createPgBossDatabase(pool: ListeningPool): PgBossDatabase {
  return {
    async executeSql(text, values) {
      const client = await pool.connect();
      try {
        const result: pg.QueryResult | pg.QueryResult[] = values?.length
          ? await client.query(text, values)
          : await client.query(text);
        return { rows: Array.isArray(result) ? result.flatMap(({ rows }) => rows ?? []) : result.rows };
      } catch (error) {
        // pg-boss sends BEGIN … COMMIT as one text. After an error in it the transaction is still open.
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },

    async listen(channel, onMessage, onReconnect) {
      const close = await pool.listen({ channel, onMessage, onReconnect });
      onReconnect();
      return { close };
    },
  };
}
