import type { AppContext } from '#api/services/app-context.ts';
import { DECLARATIVE_PUSH, type PushMessage } from '#shared/contract/push-message.ts';
import { type News, NOTICE_LIFETIME_MS, type NoticeChannel } from './channel.ts';
import { countUnseen } from './seen.ts';

/** A picture of the result would need its owner's session, which the push service does not have. */
const ICON_PATH = '/icons/icon-192.png';

/**
 * Subscribed browsers. After a crash a message is sent again: a second one replaces the first, by its topic at the push
 * service and by its tag on the device.
 */
export const pushNotices: NoticeChannel = {
  name: 'push',
  isFallback: false,
  yieldsToPage: true,
  delivery: 'at_least_once',

  async listTargets(_app, tx, { accountId }) {
    const subscriptions = await tx.pushSubscription.findMany({
      where: { accountId, session: { expiresAt: { gt: new Date() } } },
      select: { id: true },
    });
    return subscriptions.map(({ id }) => id);
  },

  async send(app, news, target) {
    const subscription = await app.db.pushSubscription.findUnique({ where: { id: target } });
    // The browser has signed out or belongs to another account now. It must not see these results.
    if (subscription?.accountId !== news.accountId) return { state: 'dropped', isGone: true, detail: 'unsubscribed' };
    const outcome = await app.push.send(subscription, {
      body: JSON.stringify(await buildMessage(app, news)),
      ttlSeconds: NOTICE_LIFETIME_MS / 1000,
      topic: news.topicId.replaceAll('-', ''),
    });
    switch (outcome.state) {
      case 'sent':
        await app.db.pushSubscription.updateMany({ where: { id: target }, data: { lastSentAt: new Date() } });
        return { state: 'sent' };
      case 'gone':
        // Also compares the endpoint, because the browser may have subscribed again under the same id.
        await app.db.pushSubscription.deleteMany({ where: { id: target, endpoint: subscription.endpoint } });
        return { state: 'dropped', isGone: true, detail: outcome.detail };
      case 'refused':
        return { state: 'dropped', isGone: false, detail: outcome.detail };
      case 'busy':
        return { state: 'later', retryAfterSeconds: outcome.retryAfterSeconds, detail: outcome.detail };
    }
  },
};

async function buildMessage(app: AppContext, news: News): Promise<PushMessage> {
  const { title, body } = news;
  return {
    web_push: DECLARATIVE_PUSH,
    notification: {
      title,
      body,
      navigate: news.address,
      lang: 'ru',
      tag: news.topicId,
      icon: `${app.config.publicUrl}${ICON_PATH}`,
    },
    app_badge: await countUnseen(app, news.accountId),
  };
}
