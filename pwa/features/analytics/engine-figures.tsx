import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { buildUrl } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { buttonClass } from '#pwa/components/button.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { Field } from '#pwa/components/field.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { formatDuration, formatNumber, formatRubles, nb } from '#pwa/format.ts';
import { downloadEngineAnalytics, type EngineFigures as Figures, nameEngine } from '#shared/contract/engines.ts';
import type { GenerationFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { engineAnalyticsQuery, type Period } from './analytics-queries.ts';
import {
  addUp,
  computeMargin,
  findBreakEvenRate,
  listForeignCurrencies,
  type Rates,
  readRates,
  withRate,
} from './engine-margin.ts';
import { describePeriod } from './period.ts';

/** Why orders fail, in the words of the operator. */
const FAILURES: Record<GenerationFailureCode, string> = {
  engine_error: 'ошибка движка',
  photo_unsuitable: 'фото не\u00a0подошло',
  photo_lost: 'фото потеряно',
  content_refused: 'содержание не\u00a0принято',
  engine_maintenance: 'деньги или настройки',
  engine_overloaded: 'перегрузка',
  engine_timed_out: 'движок не\u00a0успел',
  engine_budget_reached: 'лимит затрат',
  engine_free_runs_reached: 'лимит бесплатных',
  engine_share_reached: 'лимит аккаунта',
  engine_refusals_reached: 'отказы аккаунту',
  consent_withdrawn: 'согласие отозвано',
  job_lost: 'задание потеряно',
  storage_failed: 'хранилище файлов',
  timed_out: 'дольше 30\u00a0минут',
  cancelled: 'отменено',
};

/** What each engine has made of the orders of a period, how fast, and what it cost. */
export function EngineFigures({ period }: { period: Period }) {
  const { data, error, refetch, isFetching } = useQuery(engineAnalyticsQuery(period));
  const [search, setSearch] = useSearchParams();
  if (error) {
    return (
      <RetryNotice title="Не удалось загрузить работу движков" onRetry={() => void refetch()} isRetrying={isFetching}>
        {describeError(error, 'Пожалуйста, попробуйте позже')}
      </RetryNotice>
    );
  }
  if (!data) return <Skeleton className="h-[320px]" />;
  const { engines } = data;
  const rates = readRates(search);
  return (
    <section className="grid gap-4 min-w-0" aria-label="Работа и затраты">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="sec">Работа и затраты</h2>
          <p className="num text-sm text-muted">{describePeriod(data.period)}</p>
        </div>
        <div className="flex flex-wrap items-end gap-3">
          {listForeignCurrencies(engines).map((currency) => (
            <RateField
              key={currency}
              currency={currency}
              initial={rates[currency]}
              onType={(text) => setSearch(withRate(search, currency, text), { replace: true, state: KEEP_SCROLL })}
            />
          ))}
          <a
            className={buttonClass({ variant: 'second', size: 'sm' })}
            href={buildUrl(downloadEngineAnalytics, { query: data.period })}
            download
          >
            <Download className="ic ic-s" />
            Скачать CSV
          </a>
        </div>
      </div>
      {engines.length === 0 ? (
        <EmptyState title="Заказов не было" text="Выберите другие даты." />
      ) : (
        <>
          <Totals rows={engines} rates={rates} />
          {engines.map((row) => (
            <EngineCard key={`${row.engine} ${row.kind}`} row={row} rates={rates} />
          ))}
        </>
      )}
      <Explanation starPriceRub={data.starPriceRub} />
    </section>
  );
}

interface RateFieldProps {
  currency: string;
  initial: number | undefined;
  onType: (text: string) => void;
}

function RateField({ currency, initial, onType }: RateFieldProps) {
  return (
    <div className="w-[150px]">
      <Field
        label={`Курс ${currency}, ₽`}
        inputMode="decimal"
        autoComplete="off"
        placeholder="для маржи"
        defaultValue={initial === undefined ? '' : String(initial).replace('.', ',')}
        onChange={(event) => onType(event.target.value.trim())}
      />
    </div>
  );
}

function Totals({ rows, rates }: { rows: readonly Figures[]; rates: Rates }) {
  const total = addUp(rows);
  return (
    <dl className="panel p-4 md:p-5 grid grid-cols-2 md:grid-cols-3 gap-4" aria-label="Все движки">
      <Cell name="Затраты">{total.costs.length > 0 ? <Costs costs={total.costs} /> : 'нет'}</Cell>
      <Cell name="Стоимость списанных звёзд">
        <Revenue row={total} />
      </Cell>
      <Cell name="Маржа">
        <Margin row={total} rates={rates} />
      </Cell>
    </dl>
  );
}

function EngineCard({ row, rates }: { row: Figures; rates: Rates }) {
  const { engine, kind, orders, completed, cancelled, failed, failures, medianSeconds, p90Seconds, jobs, costs } = row;
  const ended = completed + failed;
  return (
    <section className="panel p-4 md:p-5 min-w-0" aria-label={`${TOOLS[kind].name}, ${nameEngine(engine)}`}>
      <div className="flex flex-wrap items-baseline gap-x-2 mb-3">
        <h3 className="font-semibold">{TOOLS[kind].name}</h3>
        <span className="text-sm text-muted">{nameEngine(engine)}</span>
      </div>
      <dl className="grid grid-cols-2 md:grid-cols-3 gap-4">
        <Cell name="Заказы" note={`готово ${formatNumber(completed)}, отменено ${formatNumber(cancelled)}`}>
          {formatNumber(orders)}
        </Cell>
        <Cell
          name="Не получилось"
          note={failures.map(({ code, count }) => `${nameFailure(code)}: ${formatNumber(count)}`).join(', ')}
        >
          {ended > 0 ? `${formatShare(failed / ended)} (${formatNumber(failed)})` : '—'}
        </Cell>
        <Cell
          name="Обычное время"
          note={p90Seconds === null ? '' : `9\u00a0из\u00a010 не\u00a0дольше ${formatDuration(p90Seconds)}`}
        >
          {medianSeconds === null ? '—' : formatDuration(medianSeconds)}
        </Cell>
        <Cell name="Затраты" note={`заданий движка ${formatNumber(jobs)}`}>
          {costs.length > 0 ? <Costs costs={costs} /> : 'нет'}
        </Cell>
        <Cell name="Стоимость списанных звёзд">
          <Revenue row={row} />
        </Cell>
        <Cell name="Маржа">
          <Margin row={row} rates={rates} />
        </Cell>
      </dl>
    </section>
  );
}

function Cell({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd>
        <div className="num font-semibold mt-0.5">{children}</div>
        {note && <Note>{note}</Note>}
      </dd>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <div className="num text-xs font-normal text-muted mt-0.5">{children}</div>;
}

function Costs({ costs }: Pick<Figures, 'costs'>) {
  return costs.map(({ currency, amount, ...parts }) => (
    <div key={currency}>
      {formatMoney(amount, currency)}
      {Object.values(parts).some((part) => part > 0) && (
        <Note>{`из них ${COST_PARTS.map(([part, name]) => `${name} ${formatMoney(parts[part], currency)}`).join(', ')}`}</Note>
      )}
    </div>
  ));
}

const COST_PARTS = [
  ['resubmits', 'повторы'],
  ['rerolls', 'бесплатные переделки'],
  ['uncertain', 'оборванные отправки'],
] as const;

function Revenue({ row: { stars, revenueRub } }: { row: Pick<Figures, 'stars' | 'revenueRub'> }) {
  return (
    <>
      {revenueRub === null ? '—' : formatRubles(Math.round(revenueRub))}
      <Note>{countStars(stars)}</Note>
    </>
  );
}

function Margin({ row, rates }: { row: Pick<Figures, 'costs' | 'revenueRub'>; rates: Rates }) {
  const margin = computeMargin(row, rates);
  const even = findBreakEvenRate(row);
  return (
    <>
      {margin === null
        ? '—'
        : margin.share === null
          ? formatRubles(Math.round(margin.roubles))
          : formatShare(margin.share)}
      {margin !== null && margin.share !== null && <Note>{formatRubles(Math.round(margin.roubles))}</Note>}
      {even && <Note>{`без убытка при курсе до ${formatMoney(even.rate, '₽')} за\u00a0${even.currency}`}</Note>}
    </>
  );
}

function Explanation({ starPriceRub }: { starPriceRub: number | null }) {
  const price =
    starPriceRub === null
      ? 'За период никто не покупал звёзды за рубли, поэтому цены звезды нет.'
      : `Стоимость звёзд — звёзды, списанные за эти заказы, по средней цене звезды, оплаченной в рублях за период: ${formatMoney(starPriceRub, '₽')}. Подаренные звёзды и звёзды из Telegram считаются по той же цене.`;
  return (
    <div className="text-sm text-muted grid gap-2 max-w-[90ch]">
      <p>{nb(price)}</p>
      <p>
        {nb(
          'Затраты — цены заданий по таблице движка, в валюте его провайдера. Задание считается оплаченным с отправки, даже если отправка оборвалась. Расходы на собственные серверы сюда не входят. Курса валют «Подиум» не знает: введите его, чтобы увидеть маржу. Время — от заказа до результата, вместе с ожиданием. Всё относится к дню заказа.',
        )}
      </p>
    </div>
  );
}

function nameFailure(code: string): string {
  const names: Record<string, string> = FAILURES;
  return names[code] ?? code;
}

/** «4,90 USD». Prices below a cent keep the digits that they have. */
function formatMoney(amount: number, currency: string): string {
  const digits = amount > 0 && amount < 0.1 ? 4 : 2;
  return `${formatNumber(amount, digits)}\u00a0${currency}`;
}

/** «23 %», «−12 %» */
function formatShare(share: number): string {
  return `${formatNumber(Math.round(share * 100)).replace('-', '−')}\u00a0%`;
}
