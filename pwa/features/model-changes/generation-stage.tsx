import { OctagonAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';
import { Button } from '#pwa/components/button.tsx';
import { CropFrame } from '#pwa/components/crop-frame.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { formatClock, nb } from '#pwa/lib/format.ts';
import { useCalmText, useElapsedSeconds } from '#pwa/lib/use-clock.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { describeFailure, describeStage, describeWait } from './describe-generation.ts';
import type { GenerationView } from './model-change-status.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import type { FollowedRequest } from './saved-model-change.ts';

const ANNOUNCE_INTERVAL_MS = 15_000;

export interface GenerationStageProps {
  followed: FollowedRequest;
  view: Exclude<GenerationView, { kind: 'completed' }>;
  isOnline: boolean;
  isCancelling: boolean;
  isStarting: boolean;
  onCancel: () => void;
  onCheckAgain: () => void;
  onRestart: () => void;
  onReturn: () => void;
}

/** The source photo and, over it, what happens to its generation. */
export function GenerationStage(props: GenerationStageProps) {
  const { followed, view } = props;
  return (
    <PhotoFrame pictureUrl={followed.photo?.previewUrl ?? null}>
      {view.kind === 'running' ? (
        <RunningGeneration {...props} view={view} />
      ) : (
        <FailedGeneration {...props} view={view} />
      )}
    </PhotoFrame>
  );
}

type Running = Extract<GenerationView, { kind: 'running' }>;

function RunningGeneration(props: GenerationStageProps & { view: Running }) {
  const { followed, view, isOnline, isCancelling, onCancel, onCheckAgain } = props;
  const { progress } = view;
  const elapsed = useElapsedSeconds(progress ? Date.parse(progress.startedAt) : followed.startedAt);
  const share = progress?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)}\u00a0%`;
  const title = describeStage(share);
  const isUnreachable = isOnline && view.isUnreachable;
  const spoken = useCalmText(
    [title, `прошло ${formatClock(elapsed)}`, percent && `готово ${percent}`].filter(Boolean).join(', '),
    ANNOUNCE_INTERVAL_MS,
  );
  return (
    <>
      <p className="sr-only" role="status">
        {spoken}
      </p>
      <p className="num text-xs opacity-85 flex justify-between gap-3">
        <span>{`${followed.requestId.slice(0, 8)} · прошло ${formatClock(elapsed)}`}</span>
        {percent && <span>{percent}</span>}
      </p>
      <p className="display text-[1.75rem] leading-8 mt-1">{title}</p>
      <StitchProgress
        value={share}
        label="Ход генерации"
        still={!isOnline || isUnreachable}
        className={`my-4 ${share === null ? '' : 'change-track'}`}
      />
      {isUnreachable ? (
        <Problem
          title={MODEL_CHANGE_TEXTS.pollFailed}
          text={nb(`${MODEL_CHANGE_TEXTS.pollFailedHint}. Генерация продолжается на сервере.`)}
        >
          <Button variant="second" size="sm" onClick={onCheckAgain}>
            Повторить
          </Button>
        </Problem>
      ) : isOnline ? (
        <p>
          {nb(
            `${describeWait(progress?.expectedSeconds ?? null, elapsed)}. Страницу можно закрыть — результат появится в галерее.`,
          )}
        </p>
      ) : (
        <p>Ждём сеть. Генерация продолжается на сервере.</p>
      )}
      <Button
        variant="plate"
        size="sm"
        className="mt-4"
        icon={<X className="ic ic-s" />}
        loading={isCancelling}
        loadingText="Отменяем…"
        disabled={!isOnline}
        title={isOnline ? undefined : 'Нет сети'}
        onClick={onCancel}
      >
        Отменить
      </Button>
    </>
  );
}

type Ended = Extract<GenerationView, { kind: 'failed' | 'result_missing' }>;

function FailedGeneration({ view, isOnline, isStarting, onRestart, onReturn }: GenerationStageProps & { view: Ended }) {
  const isFailed = view.kind === 'failed';
  return (
    <Problem
      title={isFailed ? MODEL_CHANGE_TEXTS.failed : MODEL_CHANGE_TEXTS.startFailed}
      text={isFailed ? describeFailure(view.message, view.isRefunded) : MODEL_CHANGE_TEXTS.resultMissing}
    >
      <Button
        variant="second"
        size="sm"
        price={MODEL_CHANGE_PRICE}
        loading={isStarting}
        loadingText="Запускаем…"
        disabledReason={isOnline ? null : 'Нет сети'}
        onClick={onRestart}
      >
        Повторить
      </Button>
      <Button variant="quiet" size="sm" onClick={onReturn}>
        Изменить выбор
      </Button>
    </Problem>
  );
}

function Problem({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="rounded-panel p-4 text-ink bg-danger-soft" role="alert">
      <p className="flex gap-2 font-semibold text-danger">
        <OctagonAlert className="ic mt-0.5" />
        {title}
      </p>
      <p className="text-sm mt-1">{text}</p>
      <div className="flex flex-wrap gap-2 mt-3">{children}</div>
    </div>
  );
}

/** The whole photo in a 3:4 frame, dimmed under what is written over it. */
function PhotoFrame({ pictureUrl, children }: { pictureUrl: string | null; children: ReactNode }) {
  return (
    <CropFrame className="max-lg:mx-2">
      <div className="pic grid bg-sunken">
        <div className="col-start-1 row-start-1 aspect-[3/4]" />
        {pictureUrl ? (
          <img className="absolute inset-0 size-full object-contain" src={pictureUrl} alt="Исходное фото" />
        ) : (
          <img src={silhouette} alt="" className="sil absolute inset-x-0 top-[8%] mx-auto h-[76%] w-auto" />
        )}
        <div className="change-scrim absolute inset-0" />
        <div className="change-overlay col-start-1 row-start-1 self-end relative px-5 pb-5 text-white">{children}</div>
      </div>
    </CropFrame>
  );
}
