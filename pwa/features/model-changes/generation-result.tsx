import { useMutation } from '@tanstack/react-query';
import { Clapperboard, Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError, describeFileRefusal, isFileLost } from '#pwa/client/api-error.ts';
import { fetchFile } from '#pwa/client/fetch-file.ts';
import { Button } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { saveBlob } from '#pwa/device/save-file.ts';
import { useLossReport } from '#pwa/features/generations/found-loss.ts';
import { GARMENT_TEXTS } from '#pwa/features/generations/garment-texts.ts';
import { PictureResult } from '#pwa/features/generations/picture-result.tsx';
import { buildWayBack } from '#pwa/features/generations/wanted-download.ts';
import { nb } from '#pwa/format.ts';
import { downloadImage } from '#shared/contract/downloads.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { formatAgeRange } from './catalogue.ts';
import { describeSpent, describeTook, nameResultFile, titleResult } from './describe-generation.ts';
import type { ModelChangeResult } from './find-result.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import type { ModelChangeView } from './model-change-tool.ts';
import { PremiumDialog } from './premium-dialog.tsx';
import type { Selection } from './selection.ts';

export interface GenerationResultProps {
  result: ModelChangeResult;
  /** Null while only the start's answer is known. */
  generation: ModelChangeView | null;
  selection: Selection;
  /** Stars that can be spent; null while unknown. */
  balance: number | null;
  isOnline: boolean;
  onCreateMore: () => void;
  /** Opens the video page with the result. Only for a result with an id. Null where videos are not offered. */
  onMakeVideo: ((imageId: string) => void) | null;
}

/** The finished picture compared with its source photo, and what can be done with it. */
export function GenerationResult(props: GenerationResultProps) {
  const { result, generation, selection, balance, isOnline, onCreateMore, onMakeVideo } = props;
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
      download={<DownloadButton result={result} generationId={generation?.id ?? null} isOnline={isOnline} />}
      more="Создать ещё"
      onMore={onCreateMore}
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

interface DownloadButtonProps {
  result: ModelChangeResult;
  generationId: string | null;
  isOnline: boolean;
}

function DownloadButton({ result, generationId, isOnline }: DownloadButtonProps) {
  const reportLoss = useLossReport();
  const { imageId } = result;
  const [refusal, setRefusal] = useState<string | null>(null);
  const download = useMutation({
    mutationFn: async () => {
      const { blob } = await fetchFile(downloadImage, {
        body: imageId === null ? { url: result.afterUrl } : { imageId },
      });
      saveBlob(blob, nameResultFile(Date.now()));
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 402) {
        setRefusal(error.details.upgradeMessage ?? ERRORS.premium_required.message);
        return;
      }
      toast({
        title: MODEL_CHANGE_TEXTS.downloadFailed,
        description: nb(describeFileRefusal(error) ?? MODEL_CHANGE_TEXTS.downloadFailedHint),
        tone: 'danger',
      });
      if (isFileLost(error)) reportLoss(generationId);
    },
  });
  return (
    <>
      <Button
        icon={<Download className="ic" />}
        loading={download.isPending}
        loadingText="Скачиваем…"
        disabledReason={isOnline ? null : 'Нет сети'}
        onClick={() => download.mutate()}
      >
        Скачать
      </Button>
      <PremiumDialog
        title="Скачивание оригиналов"
        reason={refusal}
        onClose={() => setRefusal(null)}
        {...(imageId !== null && { findWayBack: () => buildWayBack({ kind: 'image', imageId }, generationId) })}
      />
    </>
  );
}
