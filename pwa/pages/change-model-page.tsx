import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { readSource } from '#pwa/paths.ts';
import '#pwa/features/model-changes/model-changes.css';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { useFocusOnChange } from '#pwa/device/use-focus-on-change.ts';
import { recordOpening } from '#pwa/features/consent/server-events.ts';
import { LinkedDownload } from '#pwa/features/downloads/linked-download.tsx';
import { openBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { EngineNote, ObstacleNotice, ToolNotOffered } from '#pwa/features/generations/start-notes.tsx';
import { checkStartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { useLinkedGeneration } from '#pwa/features/generations/use-linked-generation.ts';
import { InstallWhileWaiting } from '#pwa/features/installation/install-invitation.tsx';
import { GenerationPanel } from '#pwa/features/model-changes/generation-panel.tsx';
import { CHANGE_TEXTS } from '#pwa/features/model-changes/model-change-texts.ts';
import { PremiumDialog } from '#pwa/features/model-changes/premium-dialog.tsx';
import { findSelection } from '#pwa/features/model-changes/selection.ts';
import { type ModelChangeTool, useModelChangeTool } from '#pwa/features/model-changes/use-model-change-tool.ts';
import { useStepHistory } from '#pwa/features/model-changes/use-step-history.ts';
import { canOpenStep, clampStep, type WizardStep } from '#pwa/features/model-changes/wizard.ts';
import { WizardStepper } from '#pwa/features/model-changes/wizard-stepper.tsx';
import { WizardSteps } from '#pwa/features/model-changes/wizard-steps.tsx';
import { PushPriming } from '#pwa/features/notifications/push-priming.tsx';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { PhotoUpload } from '#pwa/features/photos/photo-upload.tsx';
import { useSession } from '#pwa/features/session/use-session.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { useObstacle } from '#pwa/features/tools/tool-offer.ts';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { useMakeVideo } from '#pwa/features/videos/use-make-video.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { CHANGE_NAMES, type Change } from '#shared/rules/tool-abilities.ts';

export default function ChangeModelPage() {
  const session = useSession();
  const source = readSource(useLocation().state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one visit is counted once.
  useEffect(() => recordOpening({ event_name: 'change_model_opened', source }), []);
  return session.status === 'signed_in' ? (
    <ChangeModel key={session.userId} userId={session.userId} isEmailVerified={session.user?.isEmailVerified ?? true} />
  ) : null;
}

function ChangeModel({ userId, isEmailVerified }: { userId: number; isEmailVerified: boolean }) {
  const balance = useStarBalance().balance ?? null;
  const isPremium = useQuery(premiumStatusQuery).data?.isPremium ?? null;
  const made = useChange();
  const [isPremiumWanted, setIsPremiumWanted] = useState(false);
  const makeVideo = useMakeVideo(userId);
  const change = useModelChangeTool(userId, made, () =>
    openBuyStars({ source: 'model_change', missingStars: Math.max(1, MODEL_CHANGE_PRICE - (balance ?? 0)) }),
  );
  const { way, step, draft, view, catalogue } = change;
  const { followed, later, isRunning, isOnline } = change.control;
  const offered = useOffered();
  const isOffered = offered.includes('model_change');
  const readiness = checkStartReadiness({
    // The wizard opens its last step only with a photo.
    price: MODEL_CHANGE_PRICE,
    hasPhoto: true,
    balance,
    isEmailVerified,
    isOnline,
    obstacle: useObstacle('model_change'),
  });
  const area = useRef<HTMLDivElement>(null);
  useFocusOnChange(area, `${step} ${view?.kind ?? ''}`, change.isRestored);

  const openStep = (next: WizardStep) => {
    if (canOpenStep(way, next, step, draft)) change.openStep(next);
  };
  // Before `useLinkedGeneration`, whose change of the address must come last.
  useStepHistory(way, step, (next) => change.openStep(clampStep(way, next, draft)), change.isRestored);
  useLinkedGeneration(change.control.show, change.isRestored);
  useSeenResults(followed && !isRunning ? [followed.generationId] : []);
  const closePremium = () => {
    setIsPremiumWanted(false);
    change.dismissPremiumRefusal();
  };
  return (
    <div className="wizard">
      <PageHead made={made} />
      {isOffered && <WizardStepper way={way} step={step} draft={draft} onOpen={openStep} />}
      <div ref={area} tabIndex={-1} className="outline-none scroll-mt-24">
        {!change.isRestored ? null : step === 'generation' && followed && view ? (
          <GenerationPanel
            change={change}
            followed={followed}
            view={view}
            selection={findSelection(catalogue, followed.subject)}
            balance={balance}
            readiness={readiness}
            onMakeVideo={offered.includes('video') ? makeVideo.start : null}
          />
        ) : !isOffered ? (
          <ToolNotOffered />
        ) : (
          <WizardSteps
            change={change}
            made={made}
            selection={findSelection(catalogue, draft)}
            photoUpload={<Upload change={change} />}
            readiness={readiness}
            balance={balance}
            isStartedLater={later.agreedPrice !== null || (!isOnline && isEmailVerified)}
            isPremium={isPremium}
            onOpen={openStep}
            onPremiumWanted={() => setIsPremiumWanted(true)}
          />
        )}
      </div>
      <WhileWaiting userId={userId} isWaiting={isRunning} made={made} />
      <PremiumDialog
        title="PRO-фон"
        reason={isPremiumWanted || change.isPremiumRefused ? ERRORS.premium_background.message : null}
        onClose={closePremium}
      />
      <LinkedDownload generationId={followed?.generationId} />
    </div>
  );
}

function PageHead({ made }: { made: Change }) {
  return (
    <>
      <HomeLink />
      <h1 className="ptitle">{CHANGE_NAMES[made]}</h1>
      <ObstacleNotice kind="model_change" className="mt-4" />
    </>
  );
}

function Upload({ change: { draft, choosePhoto, control } }: { change: ModelChangeTool }) {
  return (
    <>
      <PhotoUpload photo={draft.photo} onChange={choosePhoto} slot="model_change" isLocked={control.isRunning} />
      <EngineNote kind="model_change" className="mt-4" />
    </>
  );
}

/** What is offered while a change is made. */
function WhileWaiting({ userId, isWaiting, made }: { userId: number; isWaiting: boolean; made: Change }) {
  return (
    <>
      <PushPriming
        userId={userId}
        isWaiting={isWaiting}
        sample={CHANGE_TEXTS[made].ready}
        className="mt-6 max-w-[430px]"
      />
      <InstallWhileWaiting isWaiting={isWaiting} className="mt-6 max-w-[430px]" />
    </>
  );
}
