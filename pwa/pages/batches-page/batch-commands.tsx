import { useQueryClient } from '@tanstack/react-query';
import { Eye, Package, Pause, Play, RotateCcw, Square } from 'lucide-react';
import { describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { useOnline } from '#pwa/device/use-online.ts';
import {
  useChangeBatch,
  usePauseBatch,
  useRepeatRows,
  useResumeBatch,
  useStartBatch,
  useStopBatch,
} from '#pwa/features/batches/batch-queries.ts';
import { askAfterRefusal } from '#pwa/features/consent/document-consent.ts';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { formatDuration, nb } from '#pwa/format.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { PILOT_ROWS } from '#shared/rules/batches.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { countPhotos, describePause } from './batch-texts.ts';

export interface BatchCommandsProps {
  batch: Batch;
  rows: readonly BatchRow[];
  onReview: () => void;
  onPacks: () => void;
}

/** What can be done with a batch now, with its price and what follows. */
export function BatchCommands({ batch, rows, onReview, onPacks }: BatchCommandsProps) {
  return (
    <section className="panel p-4 grid gap-4" aria-label="Запуск">
      {batch.pause && <Paused batch={batch} pause={batch.pause} />}
      {batch.status === 'running' && <Running batch={batch} />}
      {batch.prices.ready.rows > 0 && <Start batch={batch} rows={rows} />}
      {batch.prices.failed.rows > 0 && <RepeatFailed batch={batch} />}
      {batch.counts.done > 0 && <Results batch={batch} onReview={onReview} onPacks={onPacks} />}
      {batch.counts.all === 0 && (
        <p className="text-sm text-muted">{nb('Добавьте фото: здесь появятся цена, время и запуск.')}</p>
      )}
    </section>
  );
}

/** Why nothing can be started without the network. */
function useOffline(): string | null {
  return useOnline() ? null : 'Нет сети';
}

/** A refused command. A missing consent is asked for, and the command is given again. */
function Refusal({ error, onAgain }: { error: Error | null; onAgain: () => void }) {
  const queryClient = useQueryClient();
  if (!error) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    <Notice
      tone="danger"
      action={
        isConsentRefusal(code) ? (
          <Button variant="second" size="sm" onClick={() => askAfterRefusal(queryClient, code, onAgain)}>
            Прочитать и согласиться
          </Button>
        ) : undefined
      }
    >
      {describeError(error, 'Проверьте интернет и попробуйте ещё раз')}
    </Notice>
  );
}

function Start({ batch, rows }: Pick<BatchCommandsProps, 'batch' | 'rows'>) {
  const { ready } = batch.prices;
  const start = useStartBatch(batch.id);
  const offline = useOffline();
  const { balance } = useStarBalance();
  const pilot = rows.filter(({ state }) => state === 'ready').slice(0, PILOT_ROWS);
  const pilotStars = pilot.reduce((sum, { stars }) => sum + stars, 0);
  const missing = balance === undefined ? 0 : Math.max(0, ready.stars - balance);
  const isFirst = batch.counts.done + batch.counts.failed === 0;
  const hasPilot = isFirst && ready.rows > PILOT_ROWS && batch.status === 'open';
  const last = start.variables;
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm num">
        <dt>{nb(`Цена за ${countPhotos(ready.rows)}`)}</dt>
        <dd className="font-semibold">{countStars(ready.stars)}</dd>
        {balance !== undefined && (
          <>
            <dt>{missing > 0 ? 'Баланс' : 'Останется'}</dt>
            <dd>{countStars(missing > 0 ? balance : balance - ready.stars)}</dd>
          </>
        )}
        <dt>Время</dt>
        <dd>{`≈ ${formatDuration(batch.secondsLeft)}`}</dd>
      </dl>
      {missing > 0 && (
        <div className="grid gap-1">
          <p className="text-sm" role="status">
            {nb(`Звёзд хватит на ${batch.affordableRows} из ${ready.rows}. Остальные подождут.`)}
          </p>
          <ContinueBox batch={batch} />
          <BuyStarsButton variant="second" size="sm" source="batch" missingStars={missing} />
        </div>
      )}
      {hasPilot && (
        <Button
          variant="primary"
          loading={start.isPending && last?.isPilot === true}
          loadingText="Запускаем…"
          disabledReason={offline}
          price={pilotStars}
          onClick={() => start.mutate({ isPilot: true, agreedStars: pilotStars })}
        >
          {`Сначала ${PILOT_ROWS}\u00a0штуки`}
        </Button>
      )}
      <Button
        variant={hasPilot ? 'second' : 'primary'}
        icon={<Play className="ic ic-s" />}
        loading={start.isPending && last?.isPilot !== true}
        loadingText="Запускаем…"
        disabledReason={offline}
        price={ready.stars}
        onClick={() => start.mutate({ isPilot: false, agreedStars: ready.stars })}
      >
        {batch.counts.uploading > 0 ? 'Запустить загруженные' : isFirst ? 'Запустить все' : 'Запустить остальные'}
      </Button>
      <p className="text-xs text-muted">
        {nb('Звёзды списываются, когда начинается каждое фото. За то, что не вышло, они возвращаются сами.')}
      </p>
      <Refusal error={start.error} onAgain={() => last && start.mutate(last)} />
    </div>
  );
}

function ContinueBox({ batch }: { batch: Batch }) {
  const change = useChangeBatch(batch.id);
  return (
    <Checkbox
      checked={change.isPending ? Boolean(change.variables.continuesAfterPurchase) : batch.continuesAfterPurchase}
      onChange={(event) => change.mutate({ continuesAfterPurchase: event.target.checked })}
    >
      Продолжить после покупки звёзд
    </Checkbox>
  );
}

function Running({ batch }: { batch: Batch }) {
  const pause = usePauseBatch(batch.id);
  const offline = useOffline();
  const { waiting, running } = batch.counts;
  return (
    <div className="grid gap-3">
      <p className="text-sm num" role="status">
        {nb(waiting + running > 0 ? `Идёт, осталось ≈ ${formatDuration(batch.secondsLeft)}` : 'Заканчиваем')}
      </p>
      <p className="text-sm text-muted">{nb('Страницу можно закрыть: партия продолжится без неё.')}</p>
      {waiting > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="second"
            size="sm"
            icon={<Pause className="ic ic-s" />}
            loading={pause.isPending}
            loadingText="Ставим на паузу…"
            disabledReason={offline}
            onClick={() => pause.mutate()}
          >
            Пауза
          </Button>
          <StopButton batch={batch} />
        </div>
      )}
      {waiting > 0 && (
        <p className="text-xs text-muted">{nb('То, что уже создаётся, будет доделано в любом случае.')}</p>
      )}
    </div>
  );
}

function StopButton({ batch }: { batch: Batch }) {
  const stop = useStopBatch(batch.id);
  return (
    <Button
      variant="quiet"
      size="sm"
      icon={<Square className="ic ic-s" />}
      loading={stop.isPending}
      loadingText="Останавливаем…"
      disabledReason={useOffline()}
      onClick={() => stop.mutate()}
    >
      {`Остановить ожидающие: ${batch.counts.waiting}`}
    </Button>
  );
}

function Paused({ batch, pause }: { batch: Batch; pause: NonNullable<Batch['pause']> }) {
  const resume = useResumeBatch(batch.id);
  const { waiting } = batch.prices;
  const goOn = () => resume.mutate({ agreedStars: waiting.stars });
  const needsStars = pause.code === 'not_enough_stars';
  return (
    <div className="grid gap-3">
      <Notice tone="warning" title="На паузе">
        {describePause(pause)}
      </Notice>
      {needsStars && <ContinueBox batch={batch} />}
      <div className="flex flex-wrap gap-2">
        {needsStars && <BuyStarsButton size="sm" source="batch" missingStars={pause.missingStars ?? undefined} />}
        <Button
          variant={needsStars ? 'second' : 'primary'}
          size="sm"
          icon={<Play className="ic ic-s" />}
          loading={resume.isPending}
          loadingText="Продолжаем…"
          disabledReason={useOffline()}
          price={waiting.stars}
          onClick={goOn}
        >
          Продолжить
        </Button>
        <StopButton batch={batch} />
      </div>
      <Refusal error={resume.error} onAgain={goOn} />
    </div>
  );
}

function RepeatFailed({ batch }: { batch: Batch }) {
  const repeat = useRepeatRows(batch.id);
  const { failed } = batch.prices;
  const again = () => repeat.mutate({ agreedStars: failed.stars });
  return (
    <div className="grid gap-2">
      <Button
        variant="second"
        icon={<RotateCcw className="ic ic-s" />}
        loading={repeat.isPending}
        loadingText="Повторяем…"
        disabledReason={useOffline()}
        price={failed.stars}
        onClick={again}
      >
        Повторить все неудачные
      </Button>
      <Refusal error={repeat.error} onAgain={again} />
    </div>
  );
}

function Results({ batch, onReview, onPacks }: Pick<BatchCommandsProps, 'batch' | 'onReview' | 'onPacks'>) {
  const { left, taken } = batch.review;
  return (
    <div className="grid gap-2">
      <Button
        variant={left > 0 && batch.prices.ready.rows === 0 ? 'primary' : 'second'}
        icon={<Eye className="ic ic-s" />}
        onClick={onReview}
      >
        {left > 0 ? `Просмотр: осталось\u00a0${left}` : 'Просмотр'}
      </Button>
      <Button
        variant={left === 0 && taken > 0 && batch.prices.ready.rows === 0 ? 'primary' : 'second'}
        icon={<Package className="ic ic-s" />}
        onClick={onPacks}
      >
        Пакеты
      </Button>
      <p className="text-sm text-muted num">{nb(`Взято: ${taken}`)}</p>
    </div>
  );
}
