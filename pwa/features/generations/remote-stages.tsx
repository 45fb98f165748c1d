import { type GenerationStatus, isSaving } from '#shared/rules/generation-lifecycle.ts';

const STAGES = ['queued', 'preparing', 'generating', 'saving'] as const;
type Stage = (typeof STAGES)[number];

const STAGE_NAMES: Record<Stage, string> = {
  queued: 'В очереди',
  preparing: 'Готовим фото',
  generating: 'Генерируем',
  saving: 'Сохраняем',
};

/** What a running generation of a remote engine is doing. `share`: work done, 0 to 1, or null when unknown. */
interface Work {
  status: GenerationStatus;
  share: number | null;
}

/** The stage of a remote engine's work: «В очереди», «Генерируем». */
export function nameRemoteStage(work: Work): string {
  return STAGE_NAMES[findStage(work)];
}

function findStage({ status, share }: Work): Stage {
  if (status === 'pending') return 'queued';
  if (status === 'processing') return 'preparing';
  return share !== null && isSaving(share) ? 'saving' : 'generating';
}

/** All stages of a remote engine's work with the current one. Its minutes are easier to wait for. */
export function RemoteStages({ className, ...work }: Work & { className: string }) {
  const current = STAGES.indexOf(findStage(work));
  return (
    <ol
      className={`grid grid-cols-2 min-[480px]:grid-cols-4 lg:grid-cols-2 xl:grid-cols-4 gap-x-3 gap-y-1 text-xs ${className}`}
      aria-label="Этапы"
    >
      {STAGES.map((stage, index) => (
        <li
          key={stage}
          aria-current={index === current ? 'step' : undefined}
          className={`border-t-2 border-current pt-1 ${index === current ? 'font-semibold' : index < current ? 'opacity-85' : 'opacity-70'}`}
        >
          {STAGE_NAMES[stage]}
        </li>
      ))}
    </ol>
  );
}
