import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a fake server at a free port of this machine, or at `port`. `close` also cuts the open connections. */
export async function listen(server: Server, port = 0): Promise<{ port: number; close: () => Promise<void> }> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}
