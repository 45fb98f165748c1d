import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { type GenerationStatus, isSaving } from '#shared/rules/generation-lifecycle.ts';

const STAGES = ['queued', 'preparing', 'generating', 'saving'] as const;
type Stage = (typeof STAGES)[number];

/** `name`: as a title. `step`: in the line of all stages. */
const STAGE_NAMES: Record<Stage, { name: string; step: string }> = {
  queued: { name: 'В очереди', step: 'В\u00a0очереди' },
  preparing: { name: 'Готовим фото', step: 'Готовим' },
  generating: { name: 'Генерируем', step: 'Генерируем' },
  saving: { name: 'Сохраняем', step: 'Сохраняем' },
};

/** What a running generation of a remote engine is doing. `share`: work done, 0 to 1, or null when unknown. */
interface Work {
  status: GenerationStatus;
  share: number | null;
}

/** The stage of a remote engine's work: «В очереди», «Генерируем». */
export function nameRemoteStage(work: Work): string {
  return STAGE_NAMES[findStage(work)].name;
}

function findStage({ status, share }: Work): Stage {
  if (status === 'pending') return 'queued';
  if (status === 'processing') return 'preparing';
  return share !== null && isSaving(share) ? 'saving' : 'generating';
}

export interface RemoteStagesProps extends Work {
  /** The name of the progress. */
  label: string;
  /** Stops the animation while the server does not answer. */
  isStill: boolean;
  className?: string;
}

/** All stages of a remote engine's work in one line. The current one is the progress. */
export function RemoteStages({ label, isStill, className = '', ...work }: RemoteStagesProps) {
  const currentStage = findStage(work);
  const current = STAGES.indexOf(currentStage);
  return (
    <div className={`@container ${className}`}>
      <ol className="grid grid-cols-4 @min-[16rem]:grid-cols-[repeat(4,auto)] gap-x-2 text-2xs" aria-label="Этапы">
        {STAGES.map((stage, index) => (
          <li key={stage} aria-current={index === current ? 'step' : undefined} className="grid gap-1">
            {index === current ? (
              <StitchProgress
                value={stage === 'generating' ? work.share : null}
                label={label}
                still={isStill}
                className="stage-track"
              />
            ) : (
              <div className={`h-[3px] bg-current ${index < current ? '' : 'opacity-35'}`} />
            )}
            {/* Where they have no room, the title above says the current one. */}
            <span
              className={`sr-only @min-[16rem]:not-sr-only whitespace-nowrap ${index === current ? 'font-semibold' : 'opacity-85'}`}
            >
              {STAGE_NAMES[stage].step}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
