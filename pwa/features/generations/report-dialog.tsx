import { type FormEvent, useId, useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { FormActions } from '#pwa/components/form-actions.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { TextArea } from '#pwa/components/text-area.tsx';
import { nb } from '#pwa/format.ts';
import type { ReportState } from '#shared/contract/report-state.ts';
import {
  needsComment,
  REPORT_REASON_NAMES,
  REPORT_REASONS,
  REPORT_TEXT_MAX,
  type ReportReason,
} from '#shared/rules/result-reports.ts';
import { useComplaint, useReport } from './report-query.ts';
import { describeReport, REPORT_TEXTS } from './report-texts.ts';

export interface ReportDialogProps {
  /** A picture's own id, or the generation of a video. */
  itemId: string;
  /** Undefined until the server has said it. */
  known?: ReportState | null | undefined;
  onClose: () => void;
}

/** A complaint about a result: the form, and afterwards what has become of it. */
export function ReportDialog({ itemId, known, onClose }: ReportDialogProps) {
  const { data: report, isLoading } = useReport(itemId, known, true);
  const [isAgain, setIsAgain] = useState(false);
  if (isLoading) {
    return (
      <Dialog open onOpenChange={onClose} size="sm" title={REPORT_TEXTS.title}>
        <Skeleton className="h-64" />
      </Dialog>
    );
  }
  if (!report || (isAgain && report.status === 'closed')) return <ComplaintForm itemId={itemId} onClose={onClose} />;
  return <SentReport report={report} onAgain={() => setIsAgain(true)} onClose={onClose} />;
}

interface SentReportProps {
  report: ReportState;
  onAgain: () => void;
  onClose: () => void;
}

function SentReport({ report, onAgain, onClose }: SentReportProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={report.status === 'open' ? REPORT_TEXTS.sent : 'Жалоба рассмотрена'}
      footer={
        <>
          {report.status === 'closed' && (
            <Button variant="second" onClick={onAgain}>
              {REPORT_TEXTS.again}
            </Button>
          )}
          <Button onClick={onClose}>Готово</Button>
        </>
      }
    >
      <p role="status">{nb(report.status === 'open' ? REPORT_TEXTS.sentHint : `${describeReport(report)}.`)}</p>
      {report.answer && (
        <div className="mt-4 text-sm">
          <div className="text-muted">{REPORT_TEXTS.answer}</div>
          <p className="break-words whitespace-pre-line">{report.answer}</p>
        </div>
      )}
    </Dialog>
  );
}

function ComplaintForm({ itemId, onClose }: Pick<ReportDialogProps, 'itemId' | 'onClose'>) {
  const formId = useId();
  const complaint = useComplaint(itemId);
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [comment, setComment] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isCommentMissing = reason !== null && needsComment(reason) && comment.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (reason !== null && !isCommentMissing) complaint.mutate({ reason, comment });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!complaint.isPending}
      size="sm"
      title={REPORT_TEXTS.title}
      description={nb(REPORT_TEXTS.hint)}
      footer={
        <FormActions
          formId={formId}
          isPending={complaint.isPending}
          pendingText={REPORT_TEXTS.sending}
          onCancel={onClose}
        >
          {REPORT_TEXTS.send}
        </FormActions>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit} noValidate>
        <RadioGroup label={REPORT_TEXTS.title} value={reason} onChange={setReason} className="grid gap-2">
          {REPORT_REASON_NAMES.map((name) => (
            <OptionCard key={name} value={name} className="min-h-11 p-3 pr-9 text-sm">
              {nb(REPORT_REASONS[name])}
            </OptionCard>
          ))}
        </RadioGroup>
        {isTried && reason === null && <ErrorNote>{REPORT_TEXTS.reasonNeeded}</ErrorNote>}
        <TextArea
          label={REPORT_TEXTS.comment}
          value={comment}
          maxLength={REPORT_TEXT_MAX}
          onChange={(event) => setComment(event.target.value)}
          error={isTried && isCommentMissing ? REPORT_TEXTS.commentNeeded : undefined}
          hint={reason !== null && needsComment(reason) ? undefined : REPORT_TEXTS.commentHint}
        />
        {complaint.error && <Notice tone="danger" title={describeError(complaint.error, REPORT_TEXTS.failed)} />}
      </form>
    </Dialog>
  );
}
