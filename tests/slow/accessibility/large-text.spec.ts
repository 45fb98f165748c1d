import { test } from 'playwright/test';
import { makeBatch } from '#tests/e2e/batch-fixture.ts';
import { signInAsAdmin } from '#tests/e2e/fixture.ts';
import { expectLargeTextFits, LONG_TITLE, signInWithMuch } from '#tests/e2e/text-size.ts';
import { FOR_THE_SIGNED_IN, FOR_VISITORS } from './pages.ts';

test('larger text fits every page of a visitor', async ({ page }) => {
  await expectLargeTextFits(page, FOR_VISITORS);
});

test('larger text fits every page of somebody who has much', async ({ page }) => {
  await signInWithMuch(page);
  await expectLargeTextFits(page, [...FOR_THE_SIGNED_IN, await makeBatch(page, `${LONG_TITLE}.jpg`)]);
});

test('larger text fits the pages of an administrator', async ({ page }) => {
  await signInAsAdmin(page);
  await expectLargeTextFits(page, ['/app', '/dashboard/analytics', '/dashboard/analytics?tab=engines']);
});
