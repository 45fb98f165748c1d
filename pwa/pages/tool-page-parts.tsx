import type { ComponentType } from 'react';
import { openBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { type Line, useLine } from '#pwa/features/generations/line.tsx';
import {
  checkStartReadiness,
  type StartConditions,
  type StartReadiness,
} from '#pwa/features/generations/start-readiness.ts';
import type { GenerationControl } from '#pwa/features/generations/use-generation-tool.ts';
import { InstallWhileWaiting } from '#pwa/features/installation/install-invitation.tsx';
import { PushPriming, type PushPrimingProps } from '#pwa/features/notifications/push-priming.tsx';
import { useSession } from '#pwa/features/session/use-session.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { useObstacle } from '#pwa/features/tools/tool-offer.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';

/** Photo and settings, the stage, and what was made before. Below 1024 px they stand below each other. */
export const TOOL_COLUMNS =
  'grid grid-cols-1 lg:grid-cols-[300px_minmax(0,1fr)_120px] xl:grid-cols-[320px_minmax(0,1fr)_232px] gap-8 lg:gap-10';

export interface ToolPageProps {
  userId: number;
  isEmailVerified: boolean;
}

/** The page of a tool for whoever is signed in. Another person gets another one. */
export function ForSignedIn({ page: Page }: { page: ComponentType<ToolPageProps> }) {
  const session = useSession();
  if (session.status !== 'signed_in') return null;
  const { userId, user } = session;
  return <Page key={userId} userId={userId} isEmailVerified={user?.isEmailVerified ?? true} />;
}

/** The balance, null while unknown, and the way to buy what a start of this price lacks. */
export function useStarsFor(kind: GenerationKind, price: number) {
  const balance = useStarBalance().balance ?? null;
  // The server may refuse although the page knows of enough stars, so at least one counts as missing.
  const missingStars = Math.max(1, price - (balance ?? 0));
  return { balance, buyStars: () => openBuyStars({ source: kind, missingStars }) };
}

interface PlannedStart extends Omit<StartConditions, 'isOnline' | 'obstacle' | 'promisedStars'> {
  control: Pick<GenerationControl<never, never, GenerationView>, 'isOnline' | 'isRunning' | 'later'>;
  /** Whether a start can be agreed to without a network. Its photo may still be queued. */
  mayWait: boolean;
}

/**
 * Whether the tool can be started, or another one be put in line behind the one that runs. `isStartedLater`: there is no
 * network, or there was none at the consent. Nothing is put in line without a network.
 */
export function useStart(
  kind: GenerationKind,
  { control: { isOnline, isRunning, later }, mayWait, ...conditions }: PlannedStart,
): { readiness: StartReadiness; isStartedLater: boolean; line: Line } {
  const obstacle = useObstacle(kind);
  const line = useLine(kind);
  const promisedStars = isRunning ? line.stars : 0;
  return {
    readiness: checkStartReadiness({ ...conditions, isOnline, obstacle, promisedStars }),
    isStartedLater: later.agreedPrice !== null || (!isOnline && conditions.isEmailVerified && mayWait && !isRunning),
    line,
  };
}

/** What is offered during a generation: to be told of its end. */
export function WhileWaiting(props: PushPrimingProps) {
  return (
    <>
      <PushPriming {...props} />
      <InstallWhileWaiting {...props} />
    </>
  );
}
