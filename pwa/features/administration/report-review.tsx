import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { TextArea } from '#pwa/components/text-area.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { nb } from '#pwa/format.ts';
import { type AdminReport, closeReport } from '#shared/contract/result-reports.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { REPORT_REASONS, REPORT_TEXT_MAX, type ReportDecision } from '#shared/rules/result-reports.ts';
import { describeGarmentCheck, formatMoment } from './administration-texts.ts';
import { askIfUnconfirmed } from './confirmation.tsx';
import { photoUrl, previewUrl, resultUrl } from './reported-files.ts';
import { useRefreshLists } from './use-paged-list.ts';

/** What an administrator does, and what happens then. */
const DECISIONS: Record<ReportDecision, { action: string; consequence: (report: AdminReport) => string }> = {
  no_action: {
    action: 'Без действий',
    consequence: () => 'Результат и звёзды останутся как есть. Жалоба закроется.',
  },
  stars_returned: {
    action: 'Вернуть звёзды',
    consequence: ({ stars }) => `На баланс вернётся: ${countStars(stars)}. Результат останется у владельца.`,
  },
  result_removed: {
    action: 'Удалить результат',
    consequence: () => 'Результат и его файлы удалятся сразу. Вернуть их не сможет никто. Звёзды не вернутся.',
  },
};

const PICTURE = 'ph aspect-[3/4] !object-contain';

interface ReportReviewProps {
  report: AdminReport;
  onClose: () => void;
}

/** A complaint with its result and photos, and the decision about it. */
export function ReportReview({ report, onClose }: ReportReviewProps) {
  const [decision, setDecision] = useState<ReportDecision | null>(null);
  if (decision)
    return <Confirmation report={report} decision={decision} onBack={() => setDecision(null)} onClose={onClose} />;
  const { id, account, reason, comment, createdAt, status } = report;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={REPORT_REASONS[reason]}
      description={`${account.email}, №\u00a0${account.id}, ${formatMoment(createdAt)}`}
      footer={
        status === 'open' ? (
          <Actions report={report} onChoose={setDecision} />
        ) : (
          <Button variant="second" onClick={onClose}>
            Закрыть
          </Button>
        )
      }
    >
      {comment && <p className="break-words whitespace-pre-line mb-4">{comment}</p>}
      <div className="grid grid-cols-2 md:grid-cols-3 gap-3">
        <figure>
          <ReportedResult report={report} />
          <figcaption className="text-sm mt-1">
            {report.result?.isDeleted ? 'Результат, удалён владельцем' : 'Результат'}
          </figcaption>
        </figure>
        {Array.from({ length: report.photos }, (_, position) => (
          <figure key={photoUrl(id, position)}>
            <a className="pic block" href={photoUrl(id, position)} target="_blank" rel="noreferrer">
              <ResultPicture
                url={photoUrl(id, position)}
                alt={`Исходное фото ${position + 1}, открыть`}
                className={PICTURE}
              />
            </a>
            <figcaption className="text-sm mt-1">Исходное фото</figcaption>
          </figure>
        ))}
      </div>
      {report.garmentCheck && (
        <p className="text-sm text-muted mt-4">{nb(describeGarmentCheck(report.garmentCheck))}</p>
      )}
      {report.closedAt && <Decided report={report} closedAt={report.closedAt} />}
    </Dialog>
  );
}

function ReportedResult({ report: { id, result } }: { report: AdminReport }) {
  if (!result) return <p className="text-sm text-muted">{nb('Результата уже нет.')}</p>;
  if (result.isVideo) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the videos have no sound.
      <video
        className="pic w-full"
        aria-label="Результат"
        src={resultUrl(id)}
        poster={previewUrl(id)}
        controls
        playsInline
        preload="none"
      />
    );
  }
  return (
    <a className="pic block" href={resultUrl(id)} target="_blank" rel="noreferrer">
      <ResultPicture url={previewUrl(id)} alt="Результат, открыть" className={PICTURE} />
    </a>
  );
}

function Decided({ report, closedAt }: { report: AdminReport; closedAt: string }) {
  const { decision, answer, closedBy, stars } = report;
  return (
    <div className="mt-4 text-sm">
      <p>
        {decision && DECISIONS[decision].action}
        {decision === 'stars_returned' && `: ${countStars(stars)}`}
        <span className="num text-muted"> — {[closedBy, formatMoment(closedAt)].filter(Boolean).join(', ')}</span>
      </p>
      {answer && <p className="text-muted break-words whitespace-pre-line">{answer}</p>}
    </div>
  );
}

interface ActionsProps {
  report: AdminReport;
  onChoose: (decision: ReportDecision) => void;
}

function Actions({ report, onChoose }: ActionsProps) {
  return (
    <>
      <Button variant="second" onClick={() => onChoose('no_action')}>
        {DECISIONS.no_action.action}
      </Button>
      {report.result && (
        <Button variant="second" className="!text-danger" onClick={() => onChoose('result_removed')}>
          {DECISIONS.result_removed.action}
        </Button>
      )}
      <Button
        disabledReason={report.stars === 0 ? 'Звёзды возвращать не за что' : null}
        onClick={() => onChoose('stars_returned')}
      >
        {DECISIONS.stars_returned.action}
      </Button>
    </>
  );
}

interface ConfirmationProps extends ReportReviewProps {
  decision: ReportDecision;
  onBack: () => void;
}

function Confirmation({ report, decision, onBack, onClose }: ConfirmationProps) {
  const [answer, setAnswer] = useState('');
  const refreshLists = useRefreshLists();
  const { action, consequence } = DECISIONS[decision];
  const closing = useMutation({
    mutationFn: () => callApi(closeReport, { params: { id: report.id }, body: { decision, answer } }),
    onSuccess: () => {
      toast({ title: 'Жалоба рассмотрена', description: report.account.email, tone: 'success' });
      onClose();
      refreshLists();
    },
    onError: (error) => {
      if (askIfUnconfirmed(error, () => closing.mutate())) return;
      toastFailure('Ошибка', error, 'Не удалось сохранить решение');
      // Another administrator may have decided.
      refreshLists();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onBack}
      canClose={!closing.isPending}
      size="sm"
      title={`${action}?`}
      description={nb(consequence(report))}
      footer={
        <>
          <Button variant="second" onClick={onBack} disabled={closing.isPending}>
            Назад
          </Button>
          <Button
            className={decision === 'result_removed' ? '!bg-danger !text-canvas' : ''}
            loading={closing.isPending}
            loadingText="Сохраняем…"
            onClick={() => closing.mutate()}
          >
            {action}
          </Button>
        </>
      }
    >
      <TextArea
        label="Ответ человеку"
        hint="По желанию. Его увидит тот, кто пожаловался"
        value={answer}
        maxLength={REPORT_TEXT_MAX}
        onChange={(event) => setAnswer(event.target.value)}
      />
    </Dialog>
  );
}
