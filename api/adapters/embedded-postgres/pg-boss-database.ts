import type pg from 'pg';
import type { Db as PgBossDatabase } from 'pg-boss';

/**
 * Lets pg-boss share the one connection of the embedded database. A query that bypassed the pool would run inside
 * whatever transaction happens to be open.
 */
export function createPgBossDatabase(pool: pg.Pool): PgBossDatabase {
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

    async listen(channel, onNotification, onReconnect) {
      const client = await pool.connect();
      const onMessage = (message: pg.Notification) => {
        if (message.channel === channel) onNotification(message.payload ?? '');
      };
      client.on('notification', onMessage);
      await client.query(`LISTEN ${channel}`).finally(() => client.release());
      onReconnect();
      return {
        async close() {
          client.off('notification', onMessage);
          await pool.query(`UNLISTEN ${channel}`);
        },
      };
    },
  };
}
