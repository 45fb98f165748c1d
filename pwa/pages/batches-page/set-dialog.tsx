import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { Button, buttonClass } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { useOnline } from '#pwa/device/use-online.ts';
import { toolSettingsQuery, useSettingSets } from '#pwa/features/generations/tool-settings.ts';
import { BackgroundStep } from '#pwa/features/model-changes/background-step.tsx';
import { catalogueQuery } from '#pwa/features/model-changes/catalogue.ts';
import { ModelStep } from '#pwa/features/model-changes/model-step.tsx';
import { offerCatalogue } from '#pwa/features/model-changes/selection.ts';
import { useChange, useOffered, useVideoOffer } from '#pwa/features/tools/tools.ts';
import { CategoryChoice } from '#pwa/features/try-on/try-on-setup.tsx';
import { fitForm, fromVideoSettings, toVideoSettings } from '#pwa/features/videos/video-form.ts';
import { VideoSettings } from '#pwa/features/videos/video-settings.tsx';
import { nb } from '#pwa/format.ts';
import { type BatchSet, batchSet } from '#shared/contract/batches.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { SET_KINDS, type SetKind } from '#shared/rules/setting-sets.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { chooseDefaultSet } from './default-set.ts';

const OwnPhotosDialog = lazy(async () => ({
  default: (await import('#pwa/features/batches/intake/own-photos-dialog.tsx')).OwnPhotosDialog,
}));

export interface SetDialogProps {
  title: string;
  set: BatchSet;
  /** The photo of the person, for a try-on of all rows. Undefined where it cannot be changed. */
  personPhoto?: UploadedPhoto | null;
  /** Whether another tool may be chosen. */
  canChangeTool: boolean;
  isPending: boolean;
  error: Error | null;
  onClose: () => void;
  onSave: (set: BatchSet, personPhotoId?: string) => void;
}

/** The tool and the settings of a batch, or the settings of one row. Rendered only while it is open. */
export function SetDialog({
  title,
  set,
  personPhoto,
  canChangeTool,
  isPending,
  error,
  onClose,
  onSave,
}: SetDialogProps) {
  const isOnline = useOnline();
  const [kind, setKind] = useState<GenerationKind>(set.kind);
  const [chosen, setChosen] = useState<BatchSet | null>(set);
  const [person, setPerson] = useState<string | null>(personPhoto?.id ?? null);
  const change = useChange();
  const last = useQuery(toolSettingsQuery).data?.last ?? {};
  const offered = useOffered();
  const changeTool = (next: GenerationKind) => {
    setKind(next);
    setChosen(next === set.kind ? set : chooseDefaultSet(next, last, change));
  };
  const whyNot = !isOnline
    ? 'Нет сети'
    : chosen === null
      ? 'Выберите фон'
      : kind === 'try_on' && personPhoto !== undefined && person === null
        ? 'Выберите фото человека'
        : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!isPending}
      size="lg"
      title={title}
      footer={
        <>
          <Button variant="second" disabled={isPending} onClick={onClose}>
            Отмена
          </Button>
          <Button
            loading={isPending}
            loadingText="Сохраняем…"
            disabledReason={whyNot}
            onClick={() => chosen && onSave(chosen, person ?? undefined)}
          >
            Сохранить
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        {canChangeTool && (
          <SegmentedControl
            label="Инструмент"
            value={kind}
            onChange={changeTool}
            className="max-sm:!grid max-sm:grid-cols-2"
            options={offered.map((one) => ({
              value: one,
              label: one === 'model_change' ? CHANGE_NAMES[change] : TOOLS[one].name,
            }))}
          />
        )}
        {isSetKind(kind) && <NamedSets kind={kind} onChoose={(settings) => setChosen(readSet(kind, settings))} />}
        <Settings kind={kind} set={chosen?.kind === kind ? chosen : null} onChange={setChosen} />
        {kind === 'try_on' && personPhoto !== undefined && (
          <PersonChoice known={personPhoto} photoId={person} onChange={setPerson} />
        )}
        {error && (
          <Notice tone="danger" title="Настройки не сохранены">
            {describeError(error, 'Попробуйте ещё раз')}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

function isSetKind(kind: GenerationKind): kind is SetKind {
  return (SET_KINDS as readonly GenerationKind[]).includes(kind);
}

function readSet(kind: GenerationKind, settings: object): BatchSet | null {
  return batchSet.safeParse({ kind, settings }).data ?? null;
}

function NamedSets({ kind, onChoose }: { kind: SetKind; onChoose: (settings: object) => void }) {
  const sets = useSettingSets(kind);
  if (sets.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sec mb-1">Наборы</legend>
      {sets.map(({ id, name, settings }) => (
        <button
          key={id}
          type="button"
          className={buttonClass({ variant: 'second', size: 'sm' })}
          onClick={() => onChoose(settings)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

interface SettingsProps {
  kind: GenerationKind;
  /** Null while something of it is not chosen. */
  set: BatchSet | null;
  onChange: (set: BatchSet | null) => void;
}

function Settings({ kind, set, onChange }: SettingsProps) {
  switch (kind) {
    case 'video':
      return <VideoChoice set={set?.kind === 'video' ? set : null} onChange={onChange} />;
    case 'model_change':
      return <ModelChangeChoice set={set?.kind === 'model_change' ? set : null} onChange={onChange} />;
    case 'try_on':
      return (
        <div>
          <CategoryChoice
            value={set?.kind === 'try_on' ? set.settings.category : 'auto'}
            onChange={(category) => onChange({ kind, settings: { category } })}
          />
        </div>
      );
    case 'photosession':
      return (
        <p className="text-muted">
          {nb('Для фотосессии выбирать ничего не нужно: из каждого фото выйдет пять кадров.')}
        </p>
      );
  }
}

type SetOf<Kind extends GenerationKind> = Extract<BatchSet, { kind: Kind }>;

function VideoChoice({ set, onChange }: { set: SetOf<'video'> | null; onChange: SettingsProps['onChange'] }) {
  const offer = useVideoOffer();
  const { form, replacement } = fitForm(fromVideoSettings(set?.settings ?? {}), offer);
  return (
    <VideoSettings
      form={form}
      offer={offer}
      replacement={replacement}
      onChange={(changed) => onChange(readSet('video', toVideoSettings({ ...form, ...changed })))}
    />
  );
}

function ModelChangeChoice({
  set,
  onChange,
}: {
  set: SetOf<'model_change'> | null;
  onChange: SettingsProps['onChange'];
}) {
  const change = useChange();
  const known = useQuery(catalogueQuery).data;
  const isPremium = useQuery(premiumStatusQuery).data?.isPremium ?? null;
  const [model, setModel] = useState(set?.settings.modelId ?? null);
  const [background, setBackground] = useState(set?.settings.backgroundId ?? null);
  const hasModel = change === 'model_change';
  if (!known) return <Skeleton className="h-60" />;
  const { models, backgrounds } = offerCatalogue(known, change);
  const choose = (modelId: string | null, backgroundId: string | null) => {
    setModel(modelId);
    setBackground(backgroundId);
    const isComplete = backgroundId !== null && (!hasModel || modelId !== null);
    onChange(isComplete ? readSet('model_change', { modelId, backgroundId, agreedChange: change }) : null);
  };
  return (
    <>
      {hasModel && (
        <section>
          <h3 className="sec mb-2">Модель</h3>
          <ModelStep models={models} chosenId={model} onChoose={(id) => choose(id, background)} />
        </section>
      )}
      <section>
        <h3 className="sec mb-2">Фон</h3>
        <BackgroundStep
          backgrounds={backgrounds.filter((one) => !one.isPremium || isPremium)}
          chosenId={background}
          isPremium={isPremium}
          onPremiumWanted={() => undefined}
          onChoose={(id) => choose(hasModel ? model : null, id)}
        />
      </section>
    </>
  );
}

function PersonChoice({
  known,
  photoId,
  onChange,
}: {
  known: UploadedPhoto | null;
  photoId: string | null;
  onChange: (photoId: string) => void;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const url =
    photoId === null ? null : photoId === known?.id ? known.thumbnailUrl : `/media/photos/${photoId}/thumbnail`;
  return (
    <section>
      <h3 className="sec mb-2">Фото человека</h3>
      <div className="flex items-center gap-3">
        {url && (
          <div className="pic w-16 shrink-0">
            <ResultPicture url={url} alt="Фото человека" />
          </div>
        )}
        <Button variant="second" size="sm" onClick={() => setIsChoosing(true)}>
          {photoId === null ? 'Выбрать из моих фото' : 'Другое фото'}
        </Button>
      </div>
      <Suspense>
        {isChoosing && (
          <OwnPhotosDialog
            onClose={() => setIsChoosing(false)}
            onChosen={async ([first]) => {
              if (first) onChange(first);
            }}
          />
        )}
      </Suspense>
    </section>
  );
}
