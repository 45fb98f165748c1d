import { Monitor, Send, Smartphone } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { formatRecentDate, nb } from '#pwa/format.ts';
import type { AccountChat, AccountSession } from '#shared/contract/settings.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { describeBrowser } from './describe-browser.ts';
import { useAccountSessions, useEndChat, useEndSessions } from './use-account-sessions.ts';

/** The sessions of the account and the chats with access to it, with buttons to end one or all others. */
export function SessionList() {
  const { data, isError, isFetching, refetch } = useAccountSessions();
  const ending = useEndSessions();
  if (!data) {
    if (!isError) return <Skeleton className="h-16" />;
    return <RetryNotice title="Не удалось загрузить сеансы" isRetrying={isFetching} onRetry={() => void refetch()} />;
  }
  const { sessions, chats } = data;
  return (
    <>
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            isEnding={ending.isPending && ending.variables === session.id}
            onEnd={() => ending.mutate(session.id)}
          />
        ))}
        {chats.map((chat) => (
          <ChatItem key={chat.linkedAt} chat={chat} />
        ))}
      </ul>
      {sessions.length + chats.length > 1 && (
        <Button
          variant="second"
          className="mt-3 max-md:w-full max-md:px-2"
          loading={ending.isPending && ending.variables === undefined}
          loadingText="Завершаем…"
          onClick={() => ending.mutate(undefined)}
        >
          {chats.length > 0 ? 'Завершить остальные и отключить чат' : 'Завершить остальные сеансы'}
        </Button>
      )}
    </>
  );
}

/** «2 сеанса и 1 чат», in one line. */
export function SessionCount() {
  const { data } = useAccountSessions();
  if (!data) return 'Где выполнен вход в ваш аккаунт';
  const sessions = `${data.sessions.length} ${pluralize(data.sessions.length, ['сеанс', 'сеанса', 'сеансов'])}`;
  const chats = `${data.chats.length} ${pluralize(data.chats.length, ['чат', 'чата', 'чатов'])}`;
  return nb(data.chats.length > 0 ? `${sessions} и ${chats}` : sessions);
}

function ChatItem({ chat: { username, firstName, linkedAt } }: { chat: AccountChat }) {
  const ending = useEndChat();
  return (
    <li className="flex items-center gap-3 py-2">
      <Send className="ic text-muted" />
      <div className="flex-1 min-w-0">
        <div className="font-medium truncate">{`Чат Telegram ${username ? `@${username}` : firstName}`}</div>
        <div className="num text-sm text-muted">{nb(`Подключён: ${formatRecentDate(linkedAt)}`)}</div>
      </div>
      <Button
        variant="quiet"
        size="sm"
        loading={ending.isPending}
        aria-label="Отключить чат Telegram"
        onClick={() => ending.mutate()}
      >
        Отключить
      </Button>
    </li>
  );
}

interface SessionItemProps {
  session: AccountSession;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionItem({ session: { userAgent, lastSeenAt, isCurrent }, isEnding, onEnd }: SessionItemProps) {
  const { name, isPhone } = describeBrowser(userAgent);
  const Icon = isPhone ? Smartphone : Monitor;
  return (
    <li className="flex items-center gap-3 py-2">
      <Icon className="ic text-muted" />
      <div className="flex-1 min-w-0">
        <div className="font-medium">{name}</div>
        <div className="num text-sm text-muted">
          {isCurrent ? 'Этот браузер' : nb(`Активность: ${formatRecentDate(lastSeenAt)}`)}
        </div>
      </div>
      {!isCurrent && (
        <Button variant="quiet" size="sm" loading={isEnding} aria-label={`Завершить сеанс: ${name}`} onClick={onEnd}>
          Завершить
        </Button>
      )}
    </li>
  );
}
