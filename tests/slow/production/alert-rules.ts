// The alerts on made-up series and the figures of a running program, by Prometheus itself. Skipped where there is none
// (Debian's package `prometheus`).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { startServer } from '#tests/support/running-server.ts';

const RULES = path.resolve(import.meta.dirname, '../../../operations/prometheus/podium-alerts.yml');
const START_TRIES = 600;

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: import.meta.dirname, encoding: 'utf8' });
const skip = promtool('--version').status !== 0 && 'no Prometheus';

interface Series {
  __name__: string;
  [label: string]: string;
}

test('alerts fire for what they are about, and for nothing else', { skip }, () => {
  const { status, stdout, stderr } = promtool(
    'test',
    'rules',
    path.join(import.meta.dirname, 'podium-alerts.test.yml'),
  );
  assert.equal(status, 0, stdout + stderr);
});

test('a scrape keeps every label of ours, and every alert can be asked', { skip, timeout: 300_000 }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'podium-prometheus-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startServer();
  t.after(() => server.stop());
  const port = await findFreePort();
  const settings = path.join(folder, 'prometheus.yml');
  writeFileSync(
    settings,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [RULES],
      scrape_configs: [{ job_name: 'podium', static_configs: [{ targets: [new URL(server.url).host] }] }],
    }),
  );
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${settings}`,
      `--storage.tsdb.path=${path.join(folder, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  t.after(async () => {
    const ended = once(prometheus, 'exit');
    prometheus.kill('SIGKILL');
    await ended;
  });
  const ask = async <T>(call: string): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${call}`);
    return ((await answer.json()) as { data: T }).data;
  };

  const series = await scrape(() => ask<Series[]>('series?match[]={job="podium"}'));
  const renamed = series.filter((labels) => Object.keys(labels).some((name) => name.startsWith('exported_')));
  assert.deepEqual(renamed, []);
  const rules = await waitFor(async () => {
    const { groups } = await ask<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>(
      'rules',
    );
    const all = groups.flatMap((group) => group.rules);
    return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : null;
  });
  assert.deepEqual(
    rules.filter(({ health }) => health !== 'ok'),
    [],
  );
});

/** All series, once those of the database have come too. */
function scrape(list: () => Promise<Series[]>): Promise<Series[]> {
  return waitFor(async () => {
    const series = await list();
    return series.some(({ __name__ }) => __name__ === 'podium_worker_seen_seconds') ? series : null;
  });
}

async function waitFor<T>(ask: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    // Prometheus does not listen at once.
    const found = await ask().catch(() => null);
    if (found !== null) return found;
    await wait(200);
  }
  throw new Error('Prometheus has not answered in time');
}
