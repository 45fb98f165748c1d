import type { AppContext } from '#api/services/app-context.ts';
import { sendNotice } from '#api/services/notices/notices.ts';

/** So many at a time: a push service that does not answer must not hold the others up. */
const CONCURRENCY = 4;

/** Tells people how their generations ended. */
export function workOnNotices(app: AppContext): Promise<void> {
  return app.queue.work('send-notice', { concurrency: CONCURRENCY }, ({ noticeId }) => sendNotice(app, noticeId));
}
