import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { sendLetter } from '#api/services/core/mail-page.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { REPORT_REASON_NAMES, REPORT_REASONS } from '#shared/rules/result-reports.ts';

/** Between two mails. Later complaints wait for the next one, so that a flood of them does not fill the mailbox. */
const PAUSE_MS = 60 * 60_000;

/** Orders the mail about an urgent complaint, in the transaction that records it. */
export async function orderReportMail(app: Pick<AppContext, 'queue'>, tx: Tx): Promise<void> {
  await app.queue.send(tx, 'send-report-mail', {}, { delaySeconds: await readPause(tx) });
}

/** Mails the operator about the urgent complaints that wait. Throws when the mail server did not accept it. */
export async function sendReportMail(app: Pick<AppContext, 'db' | 'queue' | 'config' | 'mailer'>): Promise<void> {
  const untold = await app.db.resultReport.findMany({ where: { status: 'open', isUrgent: true, mailedAt: null } });
  // An earlier mail told of them, or they were decided.
  if (untold.length === 0) return;
  const delaySeconds = await readPause(app.db);
  if (delaySeconds > 0)
    return app.db.$transaction((tx) => app.queue.send(tx, 'send-report-mail', {}, { delaySeconds }));
  const counts = REPORT_REASON_NAMES.flatMap((name) => {
    const count = untold.filter(({ reason }) => reason === name).length;
    return count > 0 ? [`${REPORT_REASONS[name]}: ${count}.`] : [];
  });
  await sendLetter(app, app.config.operator.email, {
    subject: 'Срочные жалобы на результаты — «Подиум»',
    heading: 'Жалобы ждут решения',
    paragraphs: [...counts, 'Посмотрите результат и исходное фото и решите, что сделать.'],
    button: { address: `${app.config.publicUrl}${PATHS.analytics}?tab=reports`, text: 'Открыть «Жалобы»' },
    footnote: 'О новых срочных жалобах мы пишем не чаще раза в час.',
  });
  await app.db.resultReport.updateMany({
    where: { id: { in: untold.map(({ id }) => id) } },
    data: { mailedAt: new Date() },
  });
}

/** Seconds until the operator may be mailed again. */
async function readPause(db: Pick<Tx, 'resultReport'>): Promise<number> {
  const { _max } = await db.resultReport.aggregate({ _max: { mailedAt: true } });
  const nextAt = (_max.mailedAt?.getTime() ?? 0) + PAUSE_MS;
  return Math.max(0, Math.ceil((nextAt - Date.now()) / 1000));
}
