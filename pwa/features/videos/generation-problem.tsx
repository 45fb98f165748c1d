import { Button } from '#pwa/components/button.tsx';
import { explainFailure } from '#pwa/features/generations/describe-failure.ts';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { Remedies } from '#pwa/features/generations/remedies.tsx';
import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { nb } from '#pwa/format.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import { VIDEO_TEXTS } from './video-texts.ts';
import type { FollowedVideo } from './video-tool.ts';

export interface GenerationProblemProps {
  followed: FollowedVideo;
  step: 'failed' | 'timeout' | 'error' | 'critical_error';
  isOnline: boolean;
  isStarting: boolean;
  /** Decides about a restart. */
  readiness: StartReadiness;
  onCheckAgain: () => void;
  onRestart: () => void;
  /** Drops the failed generation, so that another photo can be chosen. */
  onAnotherPhoto: () => void;
}

/** A failed generation, or one that the page could not follow: what is known and what can be done. */
export function GenerationProblem(props: GenerationProblemProps) {
  const { followed, step } = props;
  const tone = step === 'timeout' ? 'warning' : 'danger';
  return (
    <ProblemCard tone={tone} {...describeProblem(followed, step)} generationId={followed.generationId}>
      <Actions {...props} />
    </ProblemCard>
  );
}

function Actions({ followed, step, readiness, isOnline, isStarting, ...on }: GenerationProblemProps) {
  if (step === 'timeout' || step === 'error') {
    return (
      <Button variant="second" size="sm" onClick={on.onCheckAgain}>
        Проверить ещё раз
      </Button>
    );
  }
  return (
    <Remedies
      kind="video"
      view={followed.view}
      readiness={readiness}
      control={{ isOnline, isStarting }}
      loadingText="Создаём видео…"
      onRestart={on.onRestart}
      onAnotherPhoto={on.onAnotherPhoto}
    />
  );
}

function describeProblem(
  followed: FollowedVideo,
  step: GenerationProblemProps['step'],
): { title: string; text: string } {
  switch (step) {
    case 'failed':
      return {
        title: VIDEO_TEXTS.startFailed,
        text: explainFailure(followed, videoPrice(followed.subject.form.duration), ''),
      };
    case 'timeout':
      return {
        title: VIDEO_TEXTS.tooLong,
        text: nb('Генерация продолжается на сервере. Если она не удастся, звёзды вернутся сами.'),
      };
    case 'error':
      return {
        title: VIDEO_TEXTS.serverUnreachable,
        text: nb(`${VIDEO_TEXTS.serverUnreachableHint}. Генерация продолжается на сервере.`),
      };
    case 'critical_error':
      return { title: VIDEO_TEXTS.pollFailed, text: followed.errors.at(-1) ?? '' };
  }
}
