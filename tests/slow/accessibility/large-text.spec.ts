import { test } from 'playwright/test';
import { makeBatch } from '#tests/e2e/batch-fixture.ts';
import { signInAsAdmin } from '#tests/e2e/fixture.ts';
import { expectLargeTextFits, LONG_TITLE, signInWithMuch } from '#tests/e2e/text-size.ts';

const PAGES = [
  '/',
  '/auth',
  '/cases',
  '/contacts',
  '/app',
  '/dashboard/create-video',
  '/dashboard/change-model',
  '/dashboard/photoshoot',
  '/dashboard/batches',
  '/dashboard/products',
  '/dashboard/gallery',
  '/dashboard/gallery/deleted',
  '/settings',
  '/stars',
  '/payment/fail',
  '/info/photo-guidelines',
];
const ADMIN_PAGES = ['/app', '/dashboard/analytics'];

test('with larger text in the browser nothing leaves the screen of a phone or a computer, on any page', async ({
  page,
}) => {
  await signInWithMuch(page);
  await expectLargeTextFits(page, [...PAGES, await makeBatch(page, `${LONG_TITLE}.jpg`)]);
  await signInAsAdmin(page);
  await expectLargeTextFits(page, ADMIN_PAGES);
});
