import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { type Role, type RunningServer, startServer } from '#tests/support/running-server.ts';
import { until } from '#tests/support/until.ts';

/** Roles run apart only on a server. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);

async function start(role: Role): Promise<{ running: RunningServer; monitor: string }> {
  const place = await createTestDatabase();
  onTestFinished(() => place.remove());
  const [port, monitorPort] = [await findFreePort(), await findFreePort()];
  const env = { MONITOR_PORT: String(monitorPort) };
  const running = await startServer({ ...place, port, roles: [role], env });
  onTestFinished(() => running.kill());
  return { running, monitor: `http://127.0.0.1:${monitorPort}` };
}

test.runIf(isOnServer).each(['worker', 'bot'] as const)(
  'a process with the role %s tells its health and its figures at MONITOR_PORT, and nothing else',
  async (role) => {
    const { running, monitor } = await start(role);
    const get = (path: string, headers: Record<string, string> = {}) => fetch(monitor + path, { headers });
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await get('/readyz');
    expect([ready.status, (await ready.json()).parts]).toEqual([
      200,
      expect.objectContaining({ database: 'ok', queue: 'ok' }),
    ]);
    expect(await (await get('/metrics')).text()).toMatch(/^podium_memory_bytes\{kind="resident"\} \d+$/m);
    // Forwarded by a proxy that TRUSTED_PROXIES does not name, so perhaps from outside.
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
    for (const path of ['/', '/api/catalogue', '/api/login', '/sw.js']) expect((await get(path)).status).toBe(404);
    await expect(fetch(running.url)).rejects.toThrow();
    expect(await running.stop()).toBe(0);
    await expect(get('/healthz')).rejects.toThrow();
  },
);

test.runIf(isOnServer)(
  'a process with the role api answers at PORT alone, and says that MONITOR_PORT has no effect',
  async () => {
    const { running, monitor } = await start('api');
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
    await expect(fetch(monitor)).rejects.toThrow();
    await until(() => expect(running.output()).toMatch(/MONITOR_PORT is set, but not read/));
  },
);
