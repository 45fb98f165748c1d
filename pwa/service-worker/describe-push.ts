import { pushMessage } from '#shared/contract/push-message.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { toOwnPath } from '#shared/rules/own-path.ts';

/** What the system shows for a push message. */
export interface ShownPush {
  title: string;
  options: NotificationOptions & { image?: string; data: { path: string } };
  /** The number on the app's icon; null leaves it unchanged. */
  badge: number | null;
}

const ICON = '/icons/icon-192.png';
/** For a message that cannot be read. */
const UNREADABLE: ShownPush = {
  title: 'Подиум',
  options: {
    body: 'Есть новости о\u00a0ваших генерациях',
    lang: 'ru',
    tag: 'podium',
    icon: ICON,
    data: { path: PATHS.app },
  },
  badge: null,
};

/**
 * Reads a push message of our server. Never fails and always returns something to show: browsers revoke the
 * subscription of an app that receives a push and shows nothing.
 */
export function describePush(text: string | null, ownOrigin: string): ShownPush {
  const parsed = pushMessage.safeParse(parseJson(text));
  if (!parsed.success) return UNREADABLE;
  const { notification, app_badge } = parsed.data;
  const { title, body, lang, tag } = notification;
  const image = notification.image ? toOwnPath(notification.image, ownOrigin) : null;
  return {
    title,
    options: {
      body,
      lang,
      tag,
      icon: toOwnPath(notification.icon, ownOrigin) ?? ICON,
      ...(image && { image }),
      data: { path: toOwnPath(notification.navigate, ownOrigin) ?? PATHS.app },
    },
    badge: app_badge ?? null,
  };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
