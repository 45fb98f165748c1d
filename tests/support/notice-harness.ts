import { afterAll, afterEach, beforeAll } from 'vitest';
import webPush from 'web-push';
import type { PushSender } from '#api/adapters/push/push-sender.ts';
import { createWebPushSender } from '#api/adapters/push/web-push-sender.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { NewResult } from '#api/services/generations/results/result-files.ts';
import { completeGeneration, endGeneration } from '#api/services/generations/running/outcome.ts';
import type { GenerationKind } from '#prisma/generated/enums.ts';
import { createGeneration } from './factories.ts';
import { type FakePushService, startFakePushService } from './fake-push-service.ts';
import { createTestApp, type TestApp } from './test-app.ts';
import { registerVerified, type TestUser } from './users.ts';

const RESULT: NewResult = {
  position: 0,
  originalKey: 'results/original',
  posterKey: 'results/poster',
  thumbnailKey: 'results/thumbnail',
  contentType: 'image/jpeg',
  bytes: 1000,
  posterBytes: 1,
  thumbnailBytes: 1,
  width: 900,
  height: 1200,
};

/** The server with a fake push service, for one test file. Registers the hooks itself. */
export function useNoticeHarness() {
  let testApp: TestApp;
  let pushService: FakePushService;
  let hastyPush: PushSender;

  beforeAll(async () => {
    pushService = await startFakePushService();
    const options = {
      vapid: { ...webPush.generateVAPIDKeys(), subject: 'mailto:push@podium.example' },
      hosts: [pushService.host],
      certificateAuthority: pushService.certificate,
    };
    hastyPush = createWebPushSender({ ...options, timeoutMs: 1000 });
    testApp = await createTestApp({ push: createWebPushSender(options) });
  });
  afterEach(() => pushService.answer({ status: 201 }));
  afterAll(async () => {
    await testApp.close();
    hastyPush.close();
    await pushService.close();
  });

  const call = (
    user: Pick<TestUser, 'cookie'>,
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    url: string,
    payload?: object,
  ) => testApp.server.inject({ method, url, headers: { cookie: user.cookie }, ...(payload ? { payload } : {}) });

  const harness = {
    get testApp() {
      return testApp;
    },
    get pushService() {
      return pushService;
    },
    /** Soon gives up a push service that does not answer. */
    get hastyApp(): AppContext {
      return { ...testApp.app, push: hastyPush };
    },
    call,
    signUp: () => registerVerified(testApp),
    /** Subscribes a browser of this person. Returns its endpoint. */
    async subscribe(user: Pick<TestUser, 'cookie'>, subscription = pushService.subscribe()): Promise<string> {
      const answer = await call(user, 'POST', '/api/notifications/devices', subscription);
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return subscription.endpoint;
    },
    /** A new person and the endpoint of their subscribed browser. */
    async signUpWithBrowser(): Promise<{ user: TestUser; endpoint: string }> {
      const user = await harness.signUp();
      return { user, endpoint: await harness.subscribe(user) };
    },
    /** Ends a new generation. Returns its id. */
    async finish(
      user: TestUser,
      kind: GenerationKind = 'video',
      outcome: 'completed' | 'failed' | 'cancelled' = 'completed',
    ) {
      const accountId = user.account.id;
      const id = await createGeneration(testApp.app, accountId, kind, 'generating');
      const generation = await testApp.app.db.generation.findUniqueOrThrow({ where: { id } });
      if (outcome === 'completed') await completeGeneration(testApp.app, generation, [RESULT]);
      else await endGeneration(testApp.app, generation, outcome === 'failed' ? 'engine_error' : 'cancelled');
      return id;
    },
    /** Ids of the notices of a generation. */
    async noticesOf(generationId: string) {
      return testApp.app.db.notice.findMany({ where: { generationId }, orderBy: { channel: 'asc' } });
    },
    /** The messages that the browser of an endpoint received. */
    shownAt: (endpoint: string) =>
      pushService.messages.filter((message) => message.endpoint === endpoint).map(({ text }) => JSON.parse(text)),
  };
  return harness;
}
