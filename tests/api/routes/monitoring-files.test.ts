import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readMetrics } from '#tests/support/read-metrics.ts';
import { useToolHarness } from '#tests/support/tool-harness.ts';
import { registerVerified } from '#tests/support/users.ts';

const OPERATIONS = path.resolve(import.meta.dirname, '../../../operations');
/** A metric's own name, also inside functions of PromQL. */
const METRIC = /\bpodium_\w+/g;

interface Dashboard {
  panels: { id: number; title: string; gridPos: { x: number; w: number }; targets?: { expr: string }[] }[];
}
interface Rules {
  groups: {
    rules: { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }[];
  }[];
}

const harness = useToolHarness();
let shown: ReadonlySet<string>;
let dashboard: Dashboard;
let alerts: Rules['groups'][number]['rules'];

beforeAll(async () => {
  dashboard = JSON.parse(await readFile(path.join(OPERATIONS, 'grafana/podium-dashboard.json'), 'utf8'));
  const rules: Rules = parse(await readFile(path.join(OPERATIONS, 'prometheus/podium-alerts.yml'), 'utf8'));
  alerts = rules.groups.flatMap((group) => group.rules);
  // A counter is shown once it has counted: a mail, a generation, a push message.
  const user = await harness.readyUser();
  await harness.finishVideo(user);
  await registerVerified(harness.testApp);
  // As a bot process does at its start.
  harness.testApp.app.metrics.activeBots.add(0);
  await harness.testApp.app.push.send(
    { endpoint: 'https://push.invalid', p256dh: '', auth: '' },
    { body: '', ttlSeconds: 1, topic: 'a' },
  );
  shown = (await readMetrics(harness.testApp.server)).names;
});

const findUnknown = (expressions: string[]) =>
  expressions.flatMap((text) => text.match(METRIC) ?? []).filter((name) => !shown.has(name));

test('no metric has a label that Prometheus gives itself and would rename', async () => {
  const { body } = await harness.testApp.server.inject('/metrics');
  const labels = new Set([...body.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  expect(labels).toContain('queue');
  expect([...labels].filter((name) => name === 'job' || name === 'instance')).toEqual([]);
});

test('every metric of the dashboard is shown at /metrics', () => {
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(20);
  expect(findUnknown(expressions)).toEqual([]);
});

test('every metric at /metrics is on the dashboard', () => {
  const drawn = JSON.stringify(dashboard);
  const bases = [...shown].map((name) => name.replace(/_(sum|count|bucket)$/, ''));
  expect([...new Set(bases)].filter((name) => !drawn.includes(name))).toEqual([]);
});

test('the panels of the dashboard have ids of their own and fit the page', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(dashboard.panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)).toEqual([]);
});

test('every metric of an alert is shown at /metrics', () => {
  expect(alerts.length).toBeGreaterThan(10);
  expect(findUnknown(alerts.map(({ expr }) => expr))).toEqual([]);
});

test('every alert has a case in which it fires and one in which it does not', async () => {
  const cases: { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] } = parse(
    await readFile(path.resolve(OPERATIONS, '../tests/slow/production/podium-alerts.test.yml'), 'utf8'),
  );
  const tried = cases.tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  for (const fires of [true, false]) {
    const names = tried.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname);
    expect(alerts.map(({ alert }) => alert).filter((alert) => !names.includes(alert))).toEqual([]);
  }
});

test('every alert has a severity, a summary and words about what to do', async () => {
  const document = await readFile(path.resolve(OPERATIONS, '../docs/operating.md'), 'utf8');
  for (const { alert, labels, annotations } of alerts) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary).not.toBe('');
    expect(document).toContain(`| \`${alert}\``);
  }
});
