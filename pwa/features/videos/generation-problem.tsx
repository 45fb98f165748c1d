import { Button } from '#pwa/components/button.tsx';
import { explainFailure } from '#pwa/features/generations/describe-failure.ts';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { Remedies, type RemediesProps } from '#pwa/features/generations/remedies.tsx';
import { nb } from '#pwa/format.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import type { VideoTool } from './use-video-tool.ts';
import { VIDEO_TEXTS } from './video-texts.ts';
import type { FollowedVideo } from './video-tool.ts';

export interface GenerationProblemProps
  extends Required<Pick<RemediesProps, 'readiness' | 'onRestart' | 'onAnotherPhoto'>> {
  followed: FollowedVideo;
  step: 'failed' | 'timeout' | 'error' | 'critical_error';
  control: VideoTool['control'];
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

function Actions({ followed, step, ...props }: GenerationProblemProps) {
  if (step === 'timeout' || step === 'error') {
    return (
      <Button variant="second" size="sm" onClick={props.control.checkAgain}>
        Проверить ещё раз
      </Button>
    );
  }
  return <Remedies {...props} kind="video" view={followed.view} loadingText="Создаём видео…" />;
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
