import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ButtonLink } from '#pwa/components/button.tsx';
import { ErrorView } from '#pwa/components/error-view.tsx';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { Spinner } from '#pwa/components/spinner.tsx';
import { Tabs } from '#pwa/components/tabs.tsx';
import { AuditTab } from '#pwa/features/administration/audit-tab.tsx';
import { ConfirmationHost } from '#pwa/features/administration/confirmation.tsx';
import { EngineStates } from '#pwa/features/administration/engine-states.tsx';
import { InterviewsTab } from '#pwa/features/administration/interviews-tab.tsx';
import { PaymentsTab } from '#pwa/features/administration/payments-tab.tsx';
import { ReportsLabel } from '#pwa/features/administration/reports-label.tsx';
import { ReportsTab } from '#pwa/features/administration/reports-tab.tsx';
import { UsersTab } from '#pwa/features/administration/users-tab.tsx';
import { EngineFigures } from '#pwa/features/analytics/engine-figures.tsx';
import { keepRates } from '#pwa/features/analytics/engine-margin.ts';
import { withPeriodQuery } from '#pwa/features/analytics/period.ts';
import { PeriodFilter } from '#pwa/features/analytics/period-filter.tsx';
import { useAnalytics } from '#pwa/features/analytics/use-analytics.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { Overview } from './analytics-page/overview.tsx';

const TABS = ['overview', 'engines', 'reports', 'payments', 'users', 'interviews', 'audit'] as const;
type Tab = (typeof TABS)[number];
/** The tabs that show figures of a period. */
const DATED_TABS: readonly Tab[] = ['overview', 'engines'];

/** The administrators' panel. The server refuses its calls to everybody else. */
export default function AnalyticsPage() {
  const session = useSession();
  const user = session.status === 'signed_in' ? session.user : null;
  if (user?.isAdmin) {
    return (
      <>
        <Panel />
        <ConfirmationHost />
      </>
    );
  }
  const home = (
    <ButtonLink to={PATHS.app} variant="second">
      На главную
    </ButtonLink>
  );
  if (session.status === 'loading') return <Spinner />;
  if (!user)
    return <ErrorView title="Нет связи с сервером" text="Проверьте интернет и откройте раздел снова." action={home} />;
  return (
    <ErrorView
      title="Раздел только для администраторов"
      text="У вашей учётной записи нет доступа к аналитике и управлению."
      action={home}
    />
  );
}

function Panel() {
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find((known) => known === search.get('tab')) ?? 'overview';
  const accountId = Number(search.get('account')) || null;
  const analytics = useAnalytics();
  const open = (next: Tab, account?: number) => {
    const address = withPeriodQuery(keepRates(search), analytics.period);
    if (next !== 'overview') address.set('tab', next);
    if (account) address.set('account', String(account));
    setSearch(address);
  };
  // On phones the row of tabs is wider than the screen, so the selected tab is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab, or the row has just appeared.
  useEffect(() => {
    document.querySelector('[role=tab][aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab, analytics.isFirstLoad]);
  if (analytics.isFirstLoad) return <Spinner />;
  return (
    <>
      <HomeLink />
      <div className="flex flex-wrap items-end justify-between gap-4 mb-5 md:min-h-[68px]">
        <h1 className="ptitle" tabIndex={-1}>
          Аналитика
        </h1>
        {/* Hidden instead of unmounted, so that typed dates are kept. */}
        <div hidden={!DATED_TABS.includes(tab)} className="max-md:w-full">
          <PeriodFilter
            period={analytics.period}
            isLoading={analytics.isFetching}
            onApply={analytics.apply}
            onReset={analytics.reset}
          />
        </div>
      </div>
      <Tabs
        value={tab}
        onChange={(next) => open(next)}
        label="Разделы панели"
        className="!auto-cols-max overflow-x-auto w-fit max-w-full mb-5 [&>*]:px-4"
        tabs={[
          { value: 'overview', label: 'Обзор', content: <Overview analytics={analytics} /> },
          {
            value: 'engines',
            label: 'Движки',
            content: (
              <div className="grid gap-8">
                <EngineStates />
                <EngineFigures period={analytics.period} />
              </div>
            ),
          },
          { value: 'reports', label: <ReportsLabel />, content: <ReportsTab /> },
          {
            value: 'payments',
            label: 'Платежи',
            content: <PaymentsTab key={accountId} accountId={accountId} onShowEverybody={() => open('payments')} />,
          },
          {
            value: 'users',
            label: 'Пользователи',
            content: <UsersTab onShowPayments={(account) => open('payments', account)} />,
          },
          { value: 'interviews', label: 'Интервью', content: <InterviewsTab /> },
          { value: 'audit', label: 'Журнал', content: <AuditTab /> },
        ]}
      />
    </>
  );
}
