import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { countWaiting } from '#api/db.ts';
import { FairPool, workForAccount } from '#api/fair-pool.ts';

test('statements that wait for the share of their account are counted apart from those without a connection', async () => {
  const sockets: Socket[] = [];
  let isSilent = true;
  const silent = createServer((socket) => {
    sockets.push(socket);
    if (!isSilent) socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const pool = new FairPool({ host: '127.0.0.1', port, max: 3, connectionTimeoutMillis: 300_000 });

  const ofAccounts = [7, 7, 7, 7, 7, 8].map((account) => workForAccount(account, () => pool.query('SELECT 1')));
  const ofNobody = pool.query('SELECT 1');
  const outcomes = Promise.allSettled([...ofAccounts, ofNobody]);
  await turn();
  // Two of account 7 have its share. With account 8 they take all three connections.
  expect(countWaiting({ pool })).toEqual({ connection: 1, share: 3 });

  // The server ends every connection instead of a time limit, which may be over before anything was counted.
  isSilent = false;
  for (const socket of sockets) socket.destroy();
  await outcomes;
  expect(countWaiting({ pool })).toEqual({ connection: 0, share: 0 });
  await pool.end();
  silent.close();
});
