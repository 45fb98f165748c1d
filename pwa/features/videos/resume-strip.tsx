import { Button } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { isRunning, isStalled } from '#pwa/features/generations/followed-generation.ts';
import { isSaving } from '#shared/rules/generation-lifecycle.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { nameStage } from './generation-estimate.ts';
import { subjectPicture } from './video-subject.ts';
import { VIDEO_TEXTS } from './video-texts.ts';
import type { FollowedVideo } from './video-tool.ts';

/** A running generation while the page shows something else, with the button that brings it back. */
export function ResumeStrip({ followed, onAttach }: { followed: FollowedVideo; onAttach: () => void }) {
  const share = followed.progress?.share ?? null;
  const pictureUrl = subjectPicture(followed.subject);
  return (
    <section className="panel overflow-hidden mb-6" aria-label="Активная генерация">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
        <div className="pic w-9 flex-none">
          {pictureUrl ? <ResultPicture url={pictureUrl} alt="" /> : <div className="ph" />}
        </div>
        <div className="min-w-0 flex-1 basis-32">
          <div className="text-sm font-semibold">
            {isStalled(followed.step) ? VIDEO_TEXTS.serverUnreachable : nameStage(followed.status, followed.progress)}
          </div>
          <div className="num text-xs text-muted">{shortId(followed.generationId)}</div>
        </div>
        <Button variant="second" size="sm" onClick={onAttach}>
          Восстановить отслеживание
        </Button>
      </div>
      <StitchProgress
        value={share !== null && isSaving(share) ? null : share}
        label="Ход генерации"
        still={!isRunning(followed) || isStalled(followed.step)}
      />
    </section>
  );
}
