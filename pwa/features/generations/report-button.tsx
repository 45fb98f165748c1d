import { Flag } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { nb } from '#pwa/format.ts';
import type { ReportState } from '#shared/contract/report-state.ts';
import { ReportDialog } from './report-dialog.tsx';
import { useReport } from './report-query.ts';
import { describeReport, REPORT_TEXTS } from './report-texts.ts';

export interface ReportButtonProps {
  /** A picture's own id, or the generation of a video. */
  itemId: string;
  /** What the server has said of an earlier complaint. Undefined asks the server when the button is pressed. */
  known?: ReportState | null | undefined;
  /** Names one of several results and makes the button an icon. */
  name?: string;
  className?: string;
}

/** Opens the complaint about a result. Its label says what has become of it. */
export function ReportButton({ itemId, known, name, className = '' }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const report = useReport(itemId, known, false).data ?? null;
  const label = report ? describeReport(report) : REPORT_TEXTS.complain;
  return (
    <>
      {name === undefined ? (
        <Button
          variant="quiet"
          size="sm"
          className={`text-muted !whitespace-normal text-left ${className}`}
          icon={<Flag className={`ic ic-s ${report ? 'fill-current' : ''}`} />}
          onClick={() => setIsOpen(true)}
        >
          {nb(label)}
        </Button>
      ) : (
        <IconButton label={`${label}: ${name}`} className={`text-muted ${className}`} onClick={() => setIsOpen(true)}>
          <Flag className={`ic ${report ? 'fill-current' : ''}`} />
        </IconButton>
      )}
      {isOpen && <ReportDialog itemId={itemId} known={known} onClose={() => setIsOpen(false)} />}
    </>
  );
}
