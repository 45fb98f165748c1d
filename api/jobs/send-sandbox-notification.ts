import type { AppContext } from '#api/services/app-context.ts';

/** Plays the provider's part: tells our own webhook what became of a payment, until it listens. */
export async function workOnSandboxNotifications(app: AppContext): Promise<void> {
  const { sandbox } = app;
  if (!sandbox) return;
  await app.queue.work('send-sandbox-notification', { concurrency: 1 }, (notification) =>
    sandbox.deliver(notification),
  );
}
