import { Button } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { isFinal, isSaving } from '#shared/rules/generation-lifecycle.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { type Followed, isRunning, isStalled } from './followed-generation.ts';

export interface ResumeStripProps {
  followed: Followed<unknown>;
  pictureUrl: string | null;
  /** The state in words. */
  title: string;
  /** The name of the button. */
  action: string;
  onAttach: () => void;
}

/** The followed generation while the page shows the form in its place, with the button that brings it back. */
export function ResumeStrip({ followed, pictureUrl, title, action, onAttach }: ResumeStripProps) {
  const share = followed.progress?.share ?? null;
  return (
    <section className="panel overflow-hidden mb-6" aria-label="Активная генерация">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
        <div className="pic w-9 flex-none">
          {pictureUrl ? <ResultPicture url={pictureUrl} alt="" /> : <div className="ph" />}
        </div>
        <div className="min-w-0 flex-1 basis-32">
          <div className="text-sm font-semibold">{title}</div>
          <div className="num text-xs text-muted">{shortId(followed.generationId)}</div>
        </div>
        <Button variant="second" size="sm" onClick={onAttach}>
          {action}
        </Button>
      </div>
      {!isFinal(followed.status) && (
        <StitchProgress
          value={share !== null && isSaving(share) ? null : share}
          label="Ход генерации"
          still={!isRunning(followed) || isStalled(followed.step)}
        />
      )}
    </section>
  );
}
