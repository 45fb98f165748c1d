import { beforeAll, beforeEach, expect, it } from 'vitest';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerUnverified, type TestUser } from '#tests/support/users.ts';

const testApp = useTestApp();
let user: TestUser;
beforeAll(async () => {
  user = await registerUnverified(testApp);
});
beforeEach(async () => void (await testApp.app.db.analyticsEvent.deleteMany()));

const record = (payload: object, headers: Record<string, string> = {}) =>
  testApp.server.inject({ method: 'POST', url: '/api/analytics/event', payload, headers });
const recorded = () => testApp.app.db.analyticsEvent.findMany({ orderBy: { id: 'asc' } });
const CONSENT = { 'x-analytics-consent': 'accepted' };
const CLICK = { event_name: 'buy_stars_click', page_location: 'http://localhost:3000/app' };

it('an event is kept with what belongs to it', async () => {
  const response = await record(
    {
      event_name: 'buy_stars_package_selected',
      page_location: 'http://localhost:3000/app?openBuyStars=true#top',
      source: 'sidebar',
      video_id: 'v1',
      details: { packageId: 'p20', stars: 20, priceRub: 990, isFirst: true },
    },
    { cookie: user.cookie, ...CONSENT },
  );
  expect([response.statusCode, response.body]).toEqual([204, '']);
  expect(await recorded()).toMatchObject([
    {
      name: 'buy_stars_package_selected',
      accountId: user.account.id,
      pageLocation: 'http://localhost:3000/app',
      source: 'sidebar',
      videoId: 'v1',
      details: { packageId: 'p20', stars: 20, priceRub: 990, isFirst: true },
    },
  ]);
});

it('without consent an event is counted without its account, video and details', async () => {
  const event = {
    ...CLICK,
    page_location: '/app?id=7',
    source: 'sidebar',
    video_id: 'v1',
    details: { packageId: 'p20' },
  };
  await record(event, { cookie: user.cookie });
  await record(event, { cookie: user.cookie, 'x-analytics-consent': 'declined' });
  const counted = {
    name: 'buy_stars_click',
    pageLocation: '/app',
    source: 'sidebar',
    accountId: null,
    videoId: null,
    details: null,
  };
  expect(await recorded()).toMatchObject([counted, counted]);
});

it('a visitor’s consent does not make an account', async () => {
  await record(CLICK, CONSENT);
  expect((await recorded()).map(({ accountId }) => accountId)).toEqual([null]);
});

it('addresses among the details lose their signatures', async () => {
  const details = { videoUrl: '/api/video-proxy/1?signature=abc', text: 'a?b' };
  await record({ ...CLICK, event_name: 'video_download', details }, CONSENT);
  expect((await recorded())[0]?.details).toEqual({ videoUrl: '/api/video-proxy/1', text: 'a?b' });
});

it('details that are too large are left out', async () => {
  const details = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, 'x'.repeat(100)]));
  expect((await record({ ...CLICK, details }, CONSENT)).statusCode).toBe(204);
  expect((await recorded())[0]?.details).toBeNull();
});

it('an unknown event is refused', async () => {
  const response = await record({ ...CLICK, event_name: 'made_up' });
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
  expect(await recorded()).toEqual([]);
});

it('a NUL in any text, which the database could not keep, is refused in words', async () => {
  const before = await testApp.app.db.analyticsEvent.count();
  for (const payload of [
    { ...CLICK, page_location: '/app\0' },
    { ...CLICK, details: { 'key\0': 1 } },
  ]) {
    const response = await record(payload);
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
  }
  expect(await testApp.app.db.analyticsEvent.count()).toBe(before);
});
