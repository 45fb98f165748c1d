import { useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { Button } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { nameEngine } from '#shared/contract/engines.ts';
import { type AdminReport, listReports } from '#shared/contract/result-reports.ts';
import { REPORT_DECISIONS, REPORT_REASONS } from '#shared/rules/result-reports.ts';
import { RESULT_WORDS } from '#shared/rules/tools.ts';
import { formatMoment } from './administration-texts.ts';
import { ListView } from './list-view.tsx';
import { ReportReview } from './report-review.tsx';
import { previewUrl } from './reported-files.ts';
import { usePagedList } from './use-paged-list.ts';

type Status = AdminReport['status'];

/** Complaints about results. Urgent ones come first. */
export function ReportsTab() {
  const [status, setStatus] = useState<Status>('open');
  const [openedId, setOpenedId] = useState<string | null>(null);
  const list = usePagedList({
    queryKey: ['reports', status],
    fetchPage: (cursor, signal) => callApi(listReports, { query: { status, cursor } }, { signal }),
    getItems: ({ reports }) => reports,
  });
  const opened = list.items?.find(({ id }) => id === openedId);
  return (
    <>
      <SegmentedControl
        className="mb-4 w-fit [&>*]:px-4"
        label="Какие жалобы"
        value={status}
        onChange={setStatus}
        options={[
          { value: 'open', label: 'Ждут решения' },
          { value: 'closed', label: 'Рассмотрены' },
        ]}
      />
      <ListView
        list={list}
        label="Жалобы"
        emptyTitle={status === 'open' ? 'Жалоб, которые ждут решения, нет' : 'Рассмотренных жалоб нет'}
        emptyText="Пожаловаться можно на любой результат: на его странице, в галерее и в боте."
      >
        {(report) => <ReportRow report={report} onOpen={() => setOpenedId(report.id)} />}
      </ListView>
      {opened && <ReportReview key={opened.id} report={opened} onClose={() => setOpenedId(null)} />}
    </>
  );
}

function ReportRow({ report, onOpen }: { report: AdminReport; onOpen: () => void }) {
  const { account, made, reason, isUrgent, comment, createdAt, engine, model, decision } = report;
  return (
    <>
      <div className="flex gap-3 items-center min-w-0">
        {report.result ? (
          <span className="pic w-14 flex-none">
            <ResultPicture url={previewUrl(report.id)} alt="" isLazy />
          </span>
        ) : (
          <span className="tag line flex-none">Удалён</span>
        )}
        <div className="min-w-0">
          <div className="font-semibold">{RESULT_WORDS[made].name}</div>
          <div className="text-muted break-words">{[nameEngine(engine), model].filter(Boolean).join(', ')}</div>
        </div>
      </div>
      <div className="min-w-0">
        <span className={isUrgent ? 'tag !bg-danger-soft !text-danger' : 'font-semibold'}>
          {REPORT_REASONS[reason]}
        </span>
        {comment && <p className="text-muted break-words line-clamp-3">{comment}</p>}
      </div>
      <div className="min-w-0">
        <div className="truncate" title={account.email}>
          {account.email}
        </div>
        <div className="num text-muted">
          № {account.id}, {formatMoment(createdAt)}
        </div>
      </div>
      <div className="md:justify-self-end grid gap-1.5 justify-items-start md:justify-items-end">
        {decision && <span className="tag">{REPORT_DECISIONS[decision]}</span>}
        <Button variant="second" size="sm" onClick={onOpen} aria-label={`Рассмотреть жалобу ${account.email}`}>
          {decision ? 'Посмотреть' : 'Рассмотреть'}
        </Button>
      </div>
    </>
  );
}
