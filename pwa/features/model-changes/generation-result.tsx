import { Clapperboard } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton, type ShareTarget } from '#pwa/features/downloads/share-button.tsx';
import { GARMENT_TEXTS } from '#pwa/features/generations/garment-texts.ts';
import { PictureResult } from '#pwa/features/generations/picture-result.tsx';
import { nb } from '#pwa/format.ts';
import { formatAgeRange } from './catalogue.ts';
import { describeSpent, describeTook, nameResultFile, titleResult } from './describe-generation.ts';
import type { ModelChangeResult } from './find-result.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import type { ModelChangeView } from './model-change-tool.ts';
import type { Selection } from './selection.ts';

export interface GenerationResultProps {
  result: ModelChangeResult;
  /** Null while only the start's answer is known. */
  generation: ModelChangeView | null;
  selection: Selection;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isOnline: boolean;
  onNextPhoto: () => void;
  onOtherSettings: (() => void) | null;
  /** Opens the video page with the result. Only for a result with an id. Null where videos are not offered. */
  onMakeVideo: ((imageId: string) => void) | null;
}

/** The finished picture compared with its source photo, and what can be done with it. */
export function GenerationResult(props: GenerationResultProps) {
  const { result, generation, selection, balance, isOnline, onNextPhoto, onOtherSettings, onMakeVideo } = props;
  const { model, background } = selection;
  const { beforeUrl, imageId } = result;
  return (
    <PictureResult
      generation={generation}
      before={beforeUrl === null ? null : { url: beforeUrl, alt: 'Было: ваше фото' }}
      after={{ url: result.afterUrl, alt: 'Стало: результат' }}
      done={result.tookSeconds === null ? null : describeTook(result.tookSeconds)}
      title={titleResult(result.isModelReplaced)}
      hint={beforeUrl && <p className="text-muted mt-2">{nb('Сдвиньте границу, чтобы сравнить с вашим фото.')}</p>}
      details={
        <dl className="mt-6 text-sm max-w-[420px]">
          {model && result.isModelReplaced !== false && (
            <Row name="Модель">
              {model.name}, {formatAgeRange(model.ageRange)}
            </Row>
          )}
          {background && <Row name="Фон">{background.name}</Row>}
          <Row name="Списано">
            {generation?.rerollOf ? GARMENT_TEXTS.free : describeSpent(result.starsSpent, balance)}
          </Row>
        </dl>
      }
      download={<TakeAway result={result} generationId={generation?.id} isOnline={isOnline} />}
      onNextPhoto={onNextPhoto}
      onOtherSettings={onOtherSettings}
    >
      {imageId !== null && onMakeVideo && (
        <p className="text-sm text-muted mt-6 pt-4 border-t border-line max-w-[420px] flex items-center gap-2">
          <Clapperboard className="ic" />
          <span>
            <button type="button" className="link text-ink min-h-11" onClick={() => onMakeVideo(imageId)}>
              Сделать из результата видео
            </button>{' '}
            — {nb('от 1 звезды')}
          </span>
        </p>
      )}
    </PictureResult>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 py-3 border-t border-line">
      <dt className="text-muted">{name}</dt>
      <dd className="num font-medium text-right">{children}</dd>
    </div>
  );
}

interface TakeAwayProps {
  result: ModelChangeResult;
  generationId: string | undefined;
  isOnline: boolean;
}

function TakeAway({ result: { imageId, afterUrl }, generationId, isOnline }: TakeAwayProps) {
  const [fileName] = useState(() => nameResultFile(Date.now()));
  const original: ShareTarget = {
    ...(imageId === null ? { kind: 'picture', url: afterUrl } : { kind: 'image', imageId }),
    pictureUrl: afterUrl,
    fileName,
  };
  const unavailable = isOnline ? null : 'Нет сети';
  return (
    <>
      <DownloadButton
        variant="second"
        target={original}
        generationId={generationId}
        failed={DOWNLOAD_FAILED}
        disabledReason={unavailable}
        hasMenu
      />
      <ShareButton targets={[original]} generationId={generationId} disabled={!isOnline} />
    </>
  );
}

const DOWNLOAD_FAILED = {
  title: MODEL_CHANGE_TEXTS.downloadFailed,
  description: nb(MODEL_CHANGE_TEXTS.downloadFailedHint),
};
