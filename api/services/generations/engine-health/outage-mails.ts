import type { Tx } from '#api/database/database.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { type Letter, sendLetter } from '#api/services/core/mail-page.ts';
import type { EngineOutage } from '#prisma/generated/client.ts';
import { nameEngine, OUTAGE_CAUSES } from '#shared/contract/engines.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { TOOLS } from '#shared/rules/tools.ts';

/**
 * An engine that has worked for so long works again. An outage that comes back earlier is the same one to the operator:
 * neither its pause nor its return is mailed, so that an engine that fails now and then does not fill the mailbox.
 */
const STEADY_MS = 15 * 60_000;

/** An engine may answer with a whole page. */
const DETAIL_MAX_CHARS = 500;

const MOMENT = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Moscow' });

/** Orders the mail about a new outage, in the transaction that opens it. */
export async function announceOpened(app: Pick<AppContext, 'queue'>, tx: Tx, outage: EngineOutage): Promise<void> {
  const before = await tx.engineOutage.findFirst({
    where: { ...sameTrouble(outage), closedAt: { gt: new Date(outage.openedAt.getTime() - STEADY_MS) } },
  });
  if (!before) await app.queue.send(tx, 'send-outage-mail', { outageId: outage.id, event: 'opened' });
}

/** Orders the mail about the end of an outage, in the transaction that closes it. */
export async function announceClosed(app: Pick<AppContext, 'queue'>, tx: Tx, outage: EngineOutage): Promise<void> {
  const payload = { outageId: outage.id, event: 'closed' } as const;
  await app.queue.send(tx, 'send-outage-mail', payload, { delaySeconds: STEADY_MS / 1000 });
}

/** Mails the operator. Throws when the mail server did not accept it. */
export async function sendOutageMail(
  app: Pick<AppContext, 'db' | 'config' | 'mailer'>,
  { outageId, event }: { outageId: string; event: 'opened' | 'closed' },
): Promise<void> {
  const outage = await app.db.engineOutage.findUniqueOrThrow({ where: { id: outageId } });
  const isBack = await hasComeBack(app, outage);
  if (event === 'closed' && isBack) return;
  // No mail was taken for long. The one about the end, which is due by now, tells of the beginning too.
  if (event === 'opened' && !isBack && isLongOver(outage)) return;
  const letter = event === 'opened' ? describeOpened(app, outage) : describeClosed(app, outage);
  await sendLetter(app, app.config.operator.email, letter);
}

async function hasComeBack(app: WithDb, outage: EngineOutage): Promise<boolean> {
  const next = await app.db.engineOutage.findFirst({
    where: { ...sameTrouble(outage), openedAt: { gt: outage.openedAt } },
  });
  return next !== null;
}

function isLongOver({ closedAt }: EngineOutage): boolean {
  return closedAt !== null && closedAt.getTime() < Date.now() - STEADY_MS;
}

function sameTrouble({ id, engine, kind, cause }: EngineOutage) {
  return { id: { not: id }, engine, kind, cause };
}

function describeOpened({ config }: Pick<AppContext, 'config'>, outage: EngineOutage): Letter {
  const { engine, cause, detail, openedAt } = outage;
  const { name, remedy, trialMinutes } = OUTAGE_CAUSES[cause];
  return {
    subject: `Движок ${nameEngine(engine)} не принимает заказы — «Подиум»`,
    heading: name,
    paragraphs: [
      `Движок: ${nameEngine(engine)}. Инструмент: ${nameTool(outage)}. С ${MOMENT.format(openedAt)} (МСК).`,
      `Что сделать: ${remedy}`,
      `Ответ движка: ${detail.slice(0, DETAIL_MAX_CHARS)}`,
      `Пока сбой не устранён, новые генерации не запускаются и звёзды за них не списываются. Пакеты звёзд продаются. Раз в ${trialMinutes} мин проходит один пробный заказ: когда он получится, инструмент откроется сам.`,
    ],
    button: openPanel(config.publicUrl),
    footnote: 'О том же сбое мы больше не напишем, пока он не закончится.',
  };
}

function describeClosed({ config }: Pick<AppContext, 'config'>, outage: EngineOutage): Letter {
  const { engine, cause, openedAt, closedAt } = outage;
  return {
    subject: `Движок ${nameEngine(engine)} снова принимает заказы — «Подиум»`,
    heading: 'Движок снова работает',
    paragraphs: [
      `Движок: ${nameEngine(engine)}. Инструмент: ${nameTool(outage)}. Причина была такой: ${OUTAGE_CAUSES[cause].name.toLowerCase()}.`,
      `Заказы не принимались с ${MOMENT.format(openedAt)} до ${MOMENT.format(closedAt ?? new Date())} (МСК).`,
    ],
    button: openPanel(config.publicUrl),
    footnote: 'Делать ничего не нужно.',
  };
}

function nameTool({ kind }: EngineOutage): string {
  return kind ? TOOLS[kind].name : 'все';
}

function openPanel(publicUrl: string): Letter['button'] {
  return { address: `${publicUrl}${PATHS.analytics}?tab=engines`, text: 'Открыть «Движки»' };
}
