import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { createMetrics } from '#api/telemetry/metrics.ts';
import { startOpenTelemetry } from '#api/telemetry/open-telemetry.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { type FakeCollector, type ReceivedSpan, startFakeCollector } from '#tests/support/fake-collector.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { registerVerified } from '#tests/support/users.ts';

let collector: FakeCollector;
beforeEach(async () => {
  collector = await startFakeCollector();
});
afterEach(() => collector.close());

const silent = pino({ level: 'silent' });
/** Sends the figures and spans of a process to the fake collector. */
function start(log: Logger = silent) {
  const metrics = createMetrics(silent);
  return { metrics, ...startOpenTelemetry({ endpoint: collector.endpoint, roles: ['api'], metrics, log }) };
}

const named = (name: string) => collector.spans.find((span) => span.name === name);
const attribute = (span: ReceivedSpan | undefined, key: string) =>
  span?.attributes.find((one) => one.key === key)?.value.stringValue;

test('a request, the job that it sends, the order and the stored files are spans of one trace', async () => {
  const testApp = await createTestApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } });
  const { app, server, engine, database } = testApp;
  await startJobs(app);
  const picture = path.join(database.dataDir, 'picture.jpg');
  await writeFile(picture, await drawJpeg(150, 200));
  engine.behave({ say: 'completed', outputs: [{ path: picture, contentType: 'image/jpeg' }] });
  const user = await registerVerified(testApp);
  const photo = await drawProductPhoto('garment', { width: 300, height: 400 });
  const form = await encodeFileForm('image', { content: photo, name: 'photo.jpg', type: 'image/jpeg' });
  const started = await server.inject({
    method: 'POST',
    url: '/api/photosession',
    payload: form.body,
    headers: { cookie: user.cookie, ...form.headers },
  });
  expect(started.statusCode).toBe(200);
  const ended = () => app.db.generation.count({ where: { status: 'completed' } });
  await vi.waitFor(async () => expect(await ended()).toBe(1), { timeout: 60_000, interval: 200 });
  await testApp.close();

  const request = named('POST /api/photosession');
  const [send, job] = [named('send run-generation'), named('job run-generation')];
  const submit = named('submit to fake');
  expect(attribute(request, 'http.route')).toBe('/api/photosession');
  expect(attribute(request, 'podium.request_id')).toBe(started.headers['x-request-id']);
  expect(send?.parentSpanId).toBe(request?.spanId);
  expect(job?.parentSpanId).toBe(send?.spanId);
  expect(submit?.parentSpanId).toBe(job?.spanId);
  const stored = collector.spans.filter((span) => span.name === 'store a file');
  expect(stored.map(({ parentSpanId }) => parentSpanId)).toContain(job?.spanId);
  expect(new Set([send, job, submit].map((span) => span?.traceId))).toEqual(new Set([request?.traceId]));
});

test('figures are sent with the values that /metrics shows', async () => {
  const { metrics, close } = start();
  metrics.mails.add(3, { result: 'sent' });
  metrics.eventStreams.add(2);
  metrics.generationSeconds.record(42, { engine: 'fal', kind: 'video', outcome: 'completed' });
  await close();
  const find = (name: string) => collector.metrics.find((one) => one.name === name);
  expect(find('podium_mails_total')?.sum).toMatchObject({
    isMonotonic: true,
    dataPoints: [{ asDouble: 3 }, { asDouble: 0 }],
  });
  expect(find('podium_event_streams')?.sum).toMatchObject({ dataPoints: [{ asDouble: 2 }] });
  const [point] = find('podium_generation_seconds')?.histogram?.dataPoints ?? [];
  expect(point).toMatchObject({ sum: 42 });
  expect(Number(point?.count)).toBe(1);
  const bucket = point?.bucketCounts?.findIndex((count) => Number(count) === 1) ?? -1;
  expect(point?.explicitBounds?.slice(bucket - 1, bucket + 1)).toEqual([30, 60]);
  expect(collector.calls).toContain('POST /v1/metrics application/json');
});

test('a collector that is down disturbs nothing, and the log says so once a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lines: string[] = [];
  collector.answer(400);
  const { tracing, close } = start(pino({}, { write: (line) => void lines.push(line) }));
  tracing.begin('work').end();
  await close();
  vi.useRealTimers();
  expect(collector.calls.length).toBeGreaterThanOrEqual(2);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the OpenTelemetry collector cannot be reached']);
});

test('a span of a failed request names the error and quotes nothing of it', async () => {
  const { tracing, close } = start();
  tracing.begin('work').end({ error: new TypeError('anna@example.com') });
  await close();
  expect(JSON.stringify(collector.spans)).toContain('TypeError');
  expect(JSON.stringify(collector.spans)).not.toContain('anna@example.com');
  expect([named('work')?.parentSpanId ?? '', attribute(named('work'), 'http.route')]).toEqual(['', undefined]);
});

test('without the setting nothing is sent, and requests have no span', async () => {
  const testApp = await createTestApp();
  await testApp.server.inject('/healthz');
  expect(testApp.app.tracing).toBeNull();
  await testApp.close();
  expect(collector.calls).toEqual([]);
});
