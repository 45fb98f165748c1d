import { Check, CircleHelp, type LucideIcon, ScanSearch, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import type { GarmentCheckView } from '#shared/contract/garment-checks.ts';
import type { GenerationResult, GenerationView } from '#shared/contract/generations.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { nameFrame } from '#shared/rules/tool-abilities.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { GarmentCrops } from './garment-crops.tsx';
import { describeDrift, describeFrameReroll, GARMENT_TEXTS, titleDrift } from './garment-texts.ts';
import { useGarmentChecks } from './generation-query.ts';
import { RerollButton } from './reroll-button.tsx';

export interface GarmentNoticeProps {
  generationId: string;
  /** What the page knows of the generation already. */
  known?: GenerationView | null;
  /** The result that is looked at; all of the generation by default. */
  resultId?: string;
  className?: string;
}

type Checked = GenerationResult & { garmentCheck: GarmentCheckView };

/**
 * Says whether the results show the garment of the photo, and offers the free re-roll of those that do not. Also says
 * that their owner has deleted the photo.
 */
export function GarmentNotice({ generationId, known = null, resultId, className = '' }: GarmentNoticeProps) {
  const view = useGarmentChecks(generationId, known);
  const checked = (view?.results ?? []).filter(isChecked).filter(({ id }) => resultId === undefined || id === resultId);
  const isPhotoGone = view?.photos.includes(null) ?? false;
  if (!view || (checked.length === 0 && view.rerollOf === null && !isPhotoGone)) return null;
  const drifted = checked.filter(({ garmentCheck }) => garmentCheck.verdict === 'drifted');
  return (
    <section className={className} aria-label="Сверка с фото">
      {isPhotoGone && <p className="text-sm text-muted mb-2">{GARMENT_TEXTS.photoGone}</p>}
      <div className={drifted.length > 0 ? 'rounded-panel p-4 bg-warning-soft grid gap-3' : ''}>
        <div role="status">
          {drifted.length > 0 ? (
            <DriftSummary drifted={drifted} />
          ) : (
            <GarmentLine checks={checked.map(({ garmentCheck }) => garmentCheck)} />
          )}
        </div>
        {drifted.length > 0 && (
          <>
            <Drifts view={view} drifted={drifted} />
            {checked.some(({ garmentCheck }) => garmentCheck.verdict === 'pending') && (
              <p className="text-sm">{GARMENT_TEXTS.othersPending}</p>
            )}
            <Reroll view={view} driftedCount={drifted.length} />
          </>
        )}
      </div>
      {view.rerollOf !== null && (
        <p className="text-sm text-muted mt-2">
          {GARMENT_TEXTS.isReroll}{' '}
          <Link className="link" to={resultPath(view.kind, view.rerollOf)}>
            {GARMENT_TEXTS.openSource}
          </Link>
        </p>
      )}
    </section>
  );
}

function isChecked(result: GenerationResult): result is Checked {
  return result.garmentCheck !== null;
}

function DriftSummary({ drifted }: { drifted: Checked[] }) {
  const drifts = (['colour', 'print'] as const).filter((drift) =>
    drifted.some(({ garmentCheck }) => garmentCheck.drifts.includes(drift)),
  );
  return (
    <div className="flex gap-3">
      <TriangleAlert className="ic text-warning" />
      <div className="min-w-0 text-sm">
        <div className="font-semibold">{titleDrift(drifts)}</div>
        <p>{nb(describeDrift(drifts))}</p>
      </div>
    </div>
  );
}

/** The crops of each drifted result. Frames of a photo session are named. */
function Drifts({ view, drifted }: { view: GenerationView; drifted: Checked[] }) {
  const sort = useFrameSort();
  const isSeries = TOOLS[view.kind].outputs.count > 1;
  return (
    <ul className={`grid gap-3 ${drifted.length > 1 ? 'md:grid-cols-2 md:gap-x-6' : ''}`}>
      {drifted.map(({ id, position, garmentCheck: { drifts, crops } }) => (
        <li key={id} className="max-w-[420px]">
          {isSeries && (
            <p className="num text-sm font-medium mb-1.5">
              {nameFrame(sort, position)}: {titleDrift(drifts).toLowerCase()}
            </p>
          )}
          {crops && <GarmentCrops crops={crops} frame={isSeries ? nameFrame(sort, position) : null} />}
        </li>
      ))}
    </ul>
  );
}

function Reroll({ view, driftedCount }: { view: GenerationView; driftedCount: number }) {
  const { kind, id, reroll, rerolledBy } = view;
  if (reroll === 'offered') {
    const isSeries = TOOLS[kind].outputs.count > 1;
    return (
      <div>
        <RerollButton kind={kind} generationId={id} className="max-md:w-full" />
        <p className="text-sm mt-2">{nb(isSeries ? describeFrameReroll(driftedCount) : GARMENT_TEXTS.rerollHint)}</p>
      </div>
    );
  }
  if (reroll === 'not_offered') return null;
  return (
    <p className="text-sm">
      {GARMENT_TEXTS.rerollUsed}{' '}
      {rerolledBy && (
        <Link className="link" to={resultPath(kind, rerolledBy)}>
          {GARMENT_TEXTS.openReroll}
        </Link>
      )}
    </p>
  );
}

export interface GarmentLineProps {
  checks: readonly GarmentCheckView[];
  className?: string;
}

/** What is said while nothing has drifted, as far as is known. */
export function GarmentLine({ checks, className = 'text-muted' }: GarmentLineProps): ReactNode {
  const has = (verdict: GarmentCheckView['verdict']) => checks.some((check) => check.verdict === verdict);
  const verdict = (['pending', 'not_comparable', 'kept'] as const).find(has);
  if (!verdict) return null;
  const { Icon, color, text } = QUIET_LOOK[verdict];
  const isPart = verdict === 'not_comparable' && has('kept');
  return (
    <p className={`flex gap-2 text-sm ${className}`}>
      <Icon className={`ic ic-s mt-0.5 flex-none ${color}`} />
      <span>{nb(isPart ? GARMENT_TEXTS.notAllComparable : text)}</span>
    </p>
  );
}

const QUIET_LOOK: Record<'pending' | 'not_comparable' | 'kept', { Icon: LucideIcon; color: string; text: string }> = {
  pending: { Icon: ScanSearch, color: '', text: GARMENT_TEXTS.pending },
  not_comparable: { Icon: CircleHelp, color: '', text: GARMENT_TEXTS.notComparable },
  kept: { Icon: Check, color: 'text-success', text: GARMENT_TEXTS.kept },
};
