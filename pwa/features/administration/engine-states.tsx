import { useMutation, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { formatNumber, nb } from '#pwa/format.ts';
import {
  type AdminEngineTool,
  type AdminOutage,
  ENDED_OUTAGES_DAYS,
  getEngineStates,
  nameEngine,
  OUTAGE_CAUSES,
  type EngineStates as States,
  tryEngineAgain,
} from '#shared/contract/engines.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { formatMoment } from './administration-texts.ts';
import { describeAbilities, describeTrial, nameOutageTool, TRAVELS } from './engine-texts.ts';
import { ADMINISTRATION_KEY, useRefreshLists } from './use-paged-list.ts';

/** Outages begin and end without a press, so the page asks for them again. */
const REFRESH_MS = 30_000;

/** Which engine makes what, what does not work, and what was spent today. */
export function EngineStates() {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [ADMINISTRATION_KEY, 'engines'],
    queryFn: ({ signal }) => callApi(getEngineStates, {}, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
  if (error && !data) {
    return (
      <RetryNotice title="Не удалось загрузить движки" onRetry={() => void refetch()} isRetrying={isFetching}>
        {describeError(error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  if (!data) return <Skeleton className="h-[320px]" />;
  const open = data.outages.filter(({ closedAt }) => closedAt === null);
  const ended = data.outages.filter(({ closedAt }) => closedAt !== null);
  return (
    <div className="grid gap-6">
      {open.length > 0 && (
        <section className="grid gap-3" aria-label="Сбои сейчас">
          {open.map((outage) => (
            <OpenOutage key={outage.id} outage={outage} />
          ))}
        </section>
      )}
      <section aria-label="Движки инструментов">
        <h2 className="sec mb-3">Движки инструментов</h2>
        <ul className="panel divide-y divide-line text-sm">
          {data.tools.map((tool) => (
            <ToolRow key={tool.kind} tool={tool} />
          ))}
        </ul>
      </section>
      <Spending states={data} />
      <EndedOutages outages={ended} />
    </div>
  );
}

function OpenOutage({ outage }: { outage: AdminOutage }) {
  const refresh = useRefreshLists();
  const trial = useMutation({
    mutationFn: () => callApi(tryEngineAgain, { params: { id: outage.id } }),
    onSuccess: () =>
      toast({ title: 'Следующий заказ будет пробным', description: nameOutageTool(outage), tone: 'success' }),
    onError: (error) => toastFailure('Ошибка', error, 'Не удалось. Попробуйте ещё раз'),
    onSettled: refresh,
  });
  const { name, remedy } = OUTAGE_CAUSES[outage.cause];
  const isWaiting = outage.hasOrders && new Date(outage.retryAt) > new Date();
  return (
    <Notice
      tone="warning"
      title={name}
      action={
        isWaiting && (
          <Button
            variant="second"
            size="sm"
            loading={trial.isPending}
            loadingText="Проверяем…"
            onClick={() => trial.mutate()}
          >
            Проверить снова
          </Button>
        )
      }
    >
      <p>{`${nameOutageTool(outage)}, движок ${nameEngine(outage.engine)}, с\u00a0${formatMoment(outage.openedAt)}.`}</p>
      <p>{nb(`${remedy} ${describeTrial(outage, new Date())}`)}</p>
      <p className="text-muted break-words">{`Ответ движка: ${outage.detail}`}</p>
    </Notice>
  );
}

function ToolRow({ tool: { kind, engine, obstacle } }: { tool: AdminEngineTool }) {
  return (
    <li className="p-4 grid gap-x-4 gap-y-1.5 md:items-center md:grid-cols-[1fr_2fr_1.4fr]">
      <div className="min-w-0">
        <div className="font-semibold">{TOOLS[kind].name}</div>
        <div className="text-muted">{engine ? nameEngine(engine.name) : 'движка нет'}</div>
      </div>
      <div className="min-w-0">
        <div>{nb(engine ? describeAbilities(engine.abilities) : 'Инструмент не предлагается')}</div>
        {engine && <div className="text-muted">{nb(TRAVELS[engine.photosTravel])}</div>}
      </div>
      <div className="min-w-0 md:justify-self-end md:text-right">
        {engine &&
          (obstacle ? (
            <>
              <span className="tag star-t">Не принимает заказы</span>
              <div className="text-muted mt-1">{nb(obstacle)}</div>
            </>
          ) : (
            <span className="tag ok">Принимает заказы</span>
          ))}
      </div>
    </li>
  );
}

function Spending({ states }: { states: States }) {
  const { spentToday, dailyBudget, freeRunsToday, freeRunsPerDay } = states;
  if (spentToday.length === 0) {
    return <p className="text-sm text-muted">{nb('Все движки работают на этом сервере: затрат и лимитов нет.')}</p>;
  }
  // An engine that has never cost anything has no currency either.
  const charged = spentToday.filter(({ currency }) => currency !== null);
  const cells = charged.map(({ engine, amount, currency }) => ({
    name: `Потрачено, ${nameEngine(engine)}`,
    value: `${formatNumber(amount, 2)}${dailyBudget === null ? '' : ` из\u00a0${formatNumber(dailyBudget, 2)}`} ${currency}`,
    ceiling: dailyBudget === null ? 'без лимита (ENGINE_DAILY_BUDGET)' : 'лимит ENGINE_DAILY_BUDGET',
  }));
  return (
    <section aria-label="Сегодня">
      <h2 className="sec mb-1">Сегодня</h2>
      <p className="text-sm text-muted mb-3">{nb('Сутки считаются по UTC: с 3:00 по московскому времени.')}</p>
      <dl className="panel p-4 md:p-5 grid grid-cols-2 md:grid-cols-4 gap-4">
        {[
          ...cells,
          {
            name: 'Заказы тех, кто не\u00a0платил',
            value: `${formatNumber(freeRunsToday)}${freeRunsPerDay === null ? '' : ` из\u00a0${formatNumber(freeRunsPerDay)}`}`,
            ceiling: freeRunsPerDay === null ? 'без лимита (ENGINE_FREE_RUNS)' : 'лимит ENGINE_FREE_RUNS',
          },
        ].map(({ name, value, ceiling }) => (
          <div key={name} className="min-w-0">
            <dt className="text-sm text-muted">{name}</dt>
            <dd>
              <div className="num font-semibold mt-0.5">{value}</div>
              <div className="text-xs text-muted break-words">{ceiling}</div>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function EndedOutages({ outages }: { outages: readonly AdminOutage[] }) {
  return (
    <section aria-label="Прошедшие сбои">
      <h2 className="sec mb-3">Прошедшие сбои</h2>
      {outages.length === 0 && (
        <p className="text-sm text-muted">{nb(`За ${ENDED_OUTAGES_DAYS} дней сбоев не было.`)}</p>
      )}
      {outages.length > 0 && (
        <ul className="panel divide-y divide-line text-sm">
          {outages.map((outage) => (
            <li key={outage.id} className="p-4 grid gap-x-4 gap-y-1.5 md:grid-cols-[1fr_1fr_2fr]">
              <div className="min-w-0">
                <div className="num">{formatMoment(outage.openedAt)}</div>
                {outage.closedAt && <div className="num text-muted">{`до\u00a0${formatMoment(outage.closedAt)}`}</div>}
              </div>
              <div className="min-w-0">
                <div className="font-semibold">{nameOutageTool(outage)}</div>
                <div className="text-muted">{nameEngine(outage.engine)}</div>
              </div>
              <div className="min-w-0">
                <div>{OUTAGE_CAUSES[outage.cause].name}</div>
                <div className="text-muted break-words">{outage.detail}</div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
