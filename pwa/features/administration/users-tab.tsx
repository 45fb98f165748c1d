import { Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { formatDate } from '#pwa/format.ts';
import { type AdminUser, listUsers } from '#shared/contract/administration.ts';
import { ListView } from './list-view.tsx';
import { usePagedList } from './use-paged-list.ts';
import { UserDialog } from './user-dialog.tsx';

/** All accounts. */
export function UsersTab({ onShowPayments }: { onShowPayments: (accountId: number) => void }) {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [openedId, setOpenedId] = useState<number | null>(null);
  const list = usePagedList({
    queryKey: ['users', search],
    fetchPage: (cursor, signal) => callApi(listUsers, { query: { cursor, ...(search && { search }) } }, { signal }),
    getItems: ({ users }) => users,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSearch(typed.trim());
  };
  const opened = list.items?.find(({ id }) => id === openedId);
  return (
    <>
      <search>
        <form className="flex gap-2 mb-4 md:max-w-[460px]" onSubmit={submit}>
          <input
            type="search"
            className="input min-w-0"
            aria-label="Найти пользователя"
            placeholder="Email, имя или номер"
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" variant="second" icon={<Search className="ic ic-s" />}>
            Найти
          </Button>
        </form>
      </search>
      <ListView
        list={list}
        label="Пользователи"
        emptyTitle="Никого не нашлось"
        emptyText="Проверьте email, имя или номер."
      >
        {(user) => <UserRow user={user} onOpen={() => setOpenedId(user.id)} />}
      </ListView>
      {opened && <UserDialog user={opened} onClose={() => setOpenedId(null)} onShowPayments={onShowPayments} />}
    </>
  );
}

function UserRow({ user, onOpen }: { user: AdminUser; onOpen: () => void }) {
  return (
    <>
      <div className="min-w-0">
        <div className="truncate font-semibold" title={user.email}>
          {user.email}
        </div>
        <div className="text-muted truncate">
          <span className="num">№ {user.id}</span>, {user.username}
        </div>
      </div>
      <div className="flex flex-wrap gap-1">
        <span className={`tag ${user.isPremium ? 'ok' : ''}`}>{user.isPremium ? 'Премиум' : 'Бесплатный'}</span>
        {!user.isEmailVerified && <span className="tag line">Email не подтверждён</span>}
      </div>
      <StarCount count={user.balance} withWord />
      <div className="num text-muted">с {formatDate(user.createdAt)}</div>
      <div className="md:justify-self-end">
        <Button variant="second" size="sm" onClick={onOpen} aria-label={`Звёзды пользователя ${user.email}`}>
          Звёзды
        </Button>
      </div>
    </>
  );
}
