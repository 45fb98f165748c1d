import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJobs } from '#api/jobs/start-jobs.ts';
import { reportResult } from '#api/services/generations/reports/result-reports.ts';
import type { ReportReason } from '#shared/rules/result-reports.ts';
import { createAccount, createImageResult } from '#tests/support/factories.ts';
import { finishJobs } from '#tests/support/finish-jobs.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readMails } from '#tests/support/users.ts';

const OPERATOR = 'operator@example.com';

let testApp: TestApp;
let accountId: number;

beforeAll(async () => {
  testApp = await createTestApp({ env: { OPERATOR_EMAIL: OPERATOR } });
  await startJobs(testApp.app);
  ({ id: accountId } = await createAccount(testApp.app));
});
afterAll(() => testApp.close());

async function complain(reason: ReportReason): Promise<void> {
  const result = await createImageResult(testApp.app, accountId, { width: 60, height: 80 });
  await reportResult(testApp.app, accountId, result, { reason, comment: null });
}

async function listMails() {
  await finishJobs(testApp.database.pool, ['send-report-mail']);
  return readMails(testApp, OPERATOR);
}

test('urgent complaints are mailed at most once an hour, and later ones wait for the next mail', async () => {
  const { pool } = testApp.database;
  await complain('garment_distorted');
  expect(await listMails()).toEqual([]);

  await complain('minor');
  const [first] = await listMails();
  expect(first?.text).toContain('Похоже на несовершеннолетнего: 1.');
  expect(first?.text).toContain('/dashboard/analytics?tab=reports');
  await complain('minor');
  await complain('forbidden_content');
  await complain('forbidden_content');
  expect(await listMails()).toHaveLength(1);

  await pool.query("UPDATE result_reports SET mailed_at = mailed_at - interval '1 hour'");
  await pool.query("UPDATE pgboss.job SET start_after = now() WHERE name = 'send-report-mail'");
  const mails = await listMails();
  expect(mails).toHaveLength(2);
  expect(mails[1]?.text).toMatch(/Неприемлемое содержание: 2\.[\s\S]*Похоже на несовершеннолетнего: 1\./);
});
