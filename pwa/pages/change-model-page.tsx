import { useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { readSource } from '#pwa/paths.ts';
import '#pwa/features/model-changes/model-changes.css';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { toast } from '#pwa/components/toast.ts';
import { useFocusOnChange } from '#pwa/device/use-focus-on-change.ts';
import { recordOpening } from '#pwa/features/consent/server-events.ts';
import { LinkedDownload } from '#pwa/features/downloads/linked-download.tsx';
import { PrepareNext } from '#pwa/features/generations/prepare-next.tsx';
import { QUEUE_TEXTS } from '#pwa/features/generations/queue-texts.ts';
import { ResumeStrip } from '#pwa/features/generations/resume-strip.tsx';
import { EngineNote, ObstacleNotice, ToolNotOffered } from '#pwa/features/generations/start-notes.tsx';
import { useLikedSettings } from '#pwa/features/generations/use-liked-settings.ts';
import { useLinkedGeneration } from '#pwa/features/generations/use-linked-generation.ts';
import { ChoiceSets } from '#pwa/features/model-changes/choice-sets.tsx';
import { describeStage } from '#pwa/features/model-changes/describe-generation.ts';
import { GenerationPanel } from '#pwa/features/model-changes/generation-panel.tsx';
import { CHANGE_TEXTS, MODEL_CHANGE_TEXTS } from '#pwa/features/model-changes/model-change-texts.ts';
import type { FollowedChange } from '#pwa/features/model-changes/model-change-tool.ts';
import { PremiumDialog } from '#pwa/features/model-changes/premium-dialog.tsx';
import { findSelection } from '#pwa/features/model-changes/selection.ts';
import { type ModelChangeTool, useModelChangeTool } from '#pwa/features/model-changes/use-model-change-tool.ts';
import { useStepHistory } from '#pwa/features/model-changes/use-step-history.ts';
import { canOpenStep, clampStep, type WizardStep } from '#pwa/features/model-changes/wizard.ts';
import { WizardStepper } from '#pwa/features/model-changes/wizard-stepper.tsx';
import { WizardSteps } from '#pwa/features/model-changes/wizard-steps.tsx';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { PhotoUpload, type PhotoUploadHandle } from '#pwa/features/photos/photo-upload.tsx';
import { useNextPhoto } from '#pwa/features/photos/use-next-photo.ts';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { useMakeVideo } from '#pwa/features/videos/use-make-video.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { CHANGE_NAMES, type Change } from '#shared/rules/tool-abilities.ts';
import { ForSignedIn, type ToolPageProps, useStarsFor, useStart, WhileWaiting } from './tool-page-parts.tsx';

export default function ChangeModelPage() {
  const source = readSource(useLocation().state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one visit is counted once.
  useEffect(() => recordOpening({ event_name: 'change_model_opened', source }), []);
  return <ForSignedIn page={ChangeModel} />;
}

function ChangeModel({ userId, isEmailVerified }: ToolPageProps) {
  const { balance, buyStars } = useStarsFor('model_change', MODEL_CHANGE_PRICE);
  const isPremium = useQuery(premiumStatusQuery).data?.isPremium ?? null;
  const made = useChange();
  const [isPremiumWanted, setIsPremiumWanted] = useState(false);
  const makeVideo = useMakeVideo(userId);
  const { upload, askAfter, focusAfter } = useNextPhoto();
  const change = useModelChangeTool(userId, made, buyStars, focusAfter);
  const { way, step, draft, catalogue, isFollowedShown } = change;
  const { followed, isRunning } = change.control;
  const offered = useOffered();
  const isOffered = offered.includes('model_change');
  const { readiness, isStartedLater, line } = useStart('model_change', {
    control: change.control,
    price: MODEL_CHANGE_PRICE,
    // The wizard opens its last step only with a photo.
    hasPhoto: true,
    balance,
    isEmailVerified,
    mayWait: true,
  });
  const area = useRef<HTMLDivElement>(null);
  const phase = isFollowedShown && followed ? (isFinal(followed.status) ? followed.status : 'running') : 'choice';
  useFocusOnChange(area, `${step} ${phase}`, change.isRestored);

  const openStep = (next: WizardStep) => {
    if (canOpenStep(way, next, step, draft)) change.openStep(next);
  };
  // Before `useLinkedGeneration`, whose change of the address must come last.
  useStepHistory(
    way,
    step,
    (next) => change.openStep(clampStep(way, next, draft)),
    change.isRestored,
    change.control.isAttached,
  );
  useLinkedGeneration(change.control.show, change.isRestored);
  const liked = useLikedSettings('model_change', change.isRestored, (view) => focusAfter(() => change.makeLike(view)));
  useSeenResults(followed && !isRunning ? [followed.generationId] : []);
  const closePremium = () => {
    setIsPremiumWanted(false);
    change.dismissPremiumRefusal();
  };
  return (
    <div className="wizard">
      <PageHead made={made} />
      {isOffered && <WizardStepper way={way} step={step} draft={draft} onOpen={openStep} />}
      {followed && !isFollowedShown && <Strip change={change} followed={followed} made={made} />}
      <div ref={area} tabIndex={-1} className="outline-none scroll-mt-24">
        {!change.isRestored ? null : isFollowedShown && followed ? (
          <GenerationPanel
            change={change}
            followed={followed}
            selection={findSelection(catalogue, followed.subject)}
            balance={balance}
            readiness={readiness}
            next={<PrepareNext line={line} className="mt-6" onPress={() => askAfter(change.nextPhoto)} />}
            onNextPhoto={() => askAfter(change.nextPhoto)}
            onMakeVideo={offered.includes('video') ? makeVideo.start : null}
          />
        ) : !isOffered ? (
          <ToolNotOffered />
        ) : (
          <WizardSteps
            change={change}
            made={made}
            selection={findSelection(catalogue, draft)}
            photoUpload={<Upload ref={upload} change={change} />}
            sets={<ChoiceSets change={change} selection={findSelection(catalogue, draft)} liked={liked} />}
            readiness={readiness}
            balance={balance}
            line={line}
            isStartedLater={isStartedLater}
            isPremium={isPremium}
            onOpen={openStep}
            onPremiumWanted={() => setIsPremiumWanted(true)}
          />
        )}
      </div>
      <WhileWaiting
        userId={userId}
        isWaiting={isRunning}
        sample={CHANGE_TEXTS[made].ready}
        className="mt-6 max-w-[430px]"
      />
      <PremiumDialog
        title="PRO-фон"
        reason={isPremiumWanted || change.isPremiumRefused ? ERRORS.premium_background.message : null}
        onClose={closePremium}
      />
      <LinkedDownload generationId={followed?.generationId} />
    </div>
  );
}

/** The generation while the page shows the choice of the next one. */
function Strip({ change, followed, made }: { change: ModelChangeTool; followed: FollowedChange; made: Change }) {
  const { status } = followed;
  const seenStatus = useRef(status);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an end is announced once.
  useEffect(() => {
    const action = { label: QUEUE_TEXTS.showEnd, onSelect: change.showFollowed };
    if (status === 'completed' && seenStatus.current !== status)
      toast({ title: CHANGE_TEXTS[made].ready, tone: 'success', action });
    seenStatus.current = status;
  }, [status]);
  return (
    <ResumeStrip
      followed={followed}
      pictureUrl={followed.view?.results[0]?.previewUrl ?? followed.subject.photo?.thumbnailUrl ?? null}
      title={nameState(followed, made)}
      action={change.control.isRunning ? QUEUE_TEXTS.showProgress : QUEUE_TEXTS.showEnd}
      onAttach={change.showFollowed}
    />
  );
}

/** The state of the generation in its strip. */
function nameState({ status, progress }: FollowedChange, made: Change): string {
  if (!isFinal(status)) return describeStage(status, progress);
  return status === 'completed' ? CHANGE_TEXTS[made].ready : MODEL_CHANGE_TEXTS.failed;
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

function Upload({
  ref,
  change: { draft, choosePhoto, changeArticle, control },
}: {
  ref: Ref<PhotoUploadHandle>;
  change: ModelChangeTool;
}) {
  return (
    <>
      <PhotoUpload
        ref={ref}
        photo={draft.photo}
        onChange={choosePhoto}
        onArticleChange={changeArticle}
        slot="model_change"
        isLocked={control.isStarting || control.isQueueing}
      />
      <EngineNote kind="model_change" className="mt-4" />
    </>
  );
}
