// The alerts on made-up series, by Prometheus' own tool. Skipped where there is none (Debian's package `prometheus`).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: import.meta.dirname, encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;

test('alerts fire for what they are about, and for nothing else', { skip: !hasPromtool && 'no promtool' }, () => {
  const { status, stdout, stderr } = promtool(
    'test',
    'rules',
    path.join(import.meta.dirname, 'podium-alerts.test.yml'),
  );
  assert.equal(status, 0, stdout + stderr);
});
