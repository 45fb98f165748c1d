import { Button } from '#pwa/components/button.tsx';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { nb } from '#pwa/lib/format.ts';
import type { GenerationOverlayProps } from './generation-overlay.tsx';
import { VIDEO_TEXTS } from './video-texts.ts';
import type { FollowedVideo, VideoView } from './video-tool.ts';

export interface GenerationProblemProps extends GenerationOverlayProps {
  step: 'failed' | 'timeout' | 'error' | 'critical_error';
}

/** A failed generation, or one that the page could not follow: what is known and what can be done. */
export function GenerationProblem(props: GenerationProblemProps) {
  const { followed, step, price, isStarting, onRestart, onCheckAgain } = props;
  const tone = step === 'timeout' ? 'warning' : 'danger';
  return (
    <ProblemCard tone={tone} {...describeProblem(followed, step)} generationId={followed.generationId}>
      {step === 'failed' || step === 'critical_error' ? (
        <Button
          variant="second"
          size="sm"
          price={price}
          loading={isStarting}
          loadingText="Создаём видео…"
          onClick={onRestart}
        >
          Повторить
        </Button>
      ) : (
        <Button variant="second" size="sm" onClick={onCheckAgain}>
          Проверить ещё раз
        </Button>
      )}
    </ProblemCard>
  );
}

function describeProblem(
  followed: FollowedVideo,
  step: GenerationProblemProps['step'],
): { title: string; text: string } {
  switch (step) {
    case 'failed':
      return { title: VIDEO_TEXTS.startFailed, text: describeFailure(followed.view?.failure ?? null) };
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

/** The server's text. Says exactly once that the stars are back. */
function describeFailure(failure: VideoView['failure']): string {
  if (!failure) return '';
  const saysSo = failure.code === 'timed_out' || failure.code === 'cancelled';
  return saysSo ? failure.message : nb(`${failure.message.replace(/\.?$/, '.')} Звёзды возвращены.`);
}
