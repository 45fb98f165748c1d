import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { escapeHtml } from '#api/platform/escape-html.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { findOutboxMail, listOutbox, type OutboxMail } from '#api/services/core/outbox.ts';

const LISTED_MAILS = 100;
const LOOPBACK_ADDRESS = /^(::ffff:)?127(\.\d{1,3}){3}$|^::1$/;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
/** A mail may use its inline styles and nothing else. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";
const STYLES = `body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark }
li { margin: 0.75rem 0 } dt { font-weight: bold } dd { margin: 0 0 0.5rem } pre { white-space: pre-wrap; padding: 1rem; border: 1px solid }
iframe { width: 100%; height: 40rem; border: 1px solid; background: #fff }`;

interface OfMail {
  Params: { name: string };
}

/** Shows the mails of the outbox to a developer. Only for this machine, and never registered in production. */
export function addDevMailboxRoutes(server: FastifyInstance, app: AppContext): void {
  const route = { schema: { hide: true }, onRequest: onlyFromThisMachine(app) };

  server.get('/dev/mailbox', route, async (_request, reply) => {
    const names = (await listOutbox(app)).slice(0, LISTED_MAILS);
    const mails = await Promise.all(names.map((name) => findOutboxMail(app, name)));
    return sendPage(reply, 'Почта', renderList(mails.filter((mail) => mail !== null)));
  });
  server.get('/dev/mailbox/style.css', route, async (_request, reply) => reply.type('text/css').send(STYLES));
  server.get<OfMail>('/dev/mailbox/:name', route, async ({ params }, reply) => {
    const mail = await getMail(app, params.name);
    return sendPage(reply, mail.subject, renderMail(mail));
  });
  server.get<OfMail>('/dev/mailbox/:name/html', route, async ({ params }, reply) => {
    const mail = await getMail(app, params.name);
    reply.header('Content-Security-Policy', MAIL_POLICY).header('X-Frame-Options', 'SAMEORIGIN');
    return reply.type('text/html; charset=utf-8').send(mail.html);
  });
}

/** The socket's address counts, not a header. Checking the Host keeps out tunnels and DNS rebinding. */
function onlyFromThisMachine(app: AppContext) {
  // A proxy that forwards nothing of the request looks like a caller on this machine.
  const isForOthers = !LOOPBACK_HOSTS.has(new URL(app.config.publicUrl).hostname);
  return async (request: FastifyRequest): Promise<void> => {
    const isLocalSocket = LOOPBACK_ADDRESS.test(request.socket.remoteAddress ?? '');
    const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
    const wasForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
    const isAllowed = !isForOthers && isLocalSocket && LOOPBACK_HOSTS.has(host) && !wasForwarded;
    if (!isAllowed || app.mailer.name !== 'outbox') throw new AppError('route_not_found');
  };
}

async function getMail(app: AppContext, name: string): Promise<OutboxMail> {
  const mail = await findOutboxMail(app, name);
  if (!mail) throw new AppError('route_not_found');
  return mail;
}

function renderList(mails: OutboxMail[]): string {
  if (mails.length === 0) return '<p>Писем ещё нет.</p>';
  const items = mails.map(
    ({ name, subject, to, date }) =>
      `<li><a href="/dev/mailbox/${encodeURIComponent(name)}">${escapeHtml(subject)}</a><br>${escapeHtml(to)}, <time datetime="${escapeHtml(date)}">${escapeHtml(date)}</time></li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

function renderMail(mail: OutboxMail): string {
  return `<p><a href="/dev/mailbox">Все письма</a></p>
<dl><dt>От кого</dt><dd>${escapeHtml(mail.from)}</dd><dt>Кому</dt><dd>${escapeHtml(mail.to)}</dd><dt>Когда</dt><dd>${escapeHtml(mail.date)}</dd></dl>
<pre>${escapeHtml(mail.text)}</pre>
<iframe title="Письмо" sandbox src="/dev/mailbox/${encodeURIComponent(mail.name)}/html"></iframe>`;
}

function sendPage(reply: FastifyReply, heading: string, content: string): FastifyReply {
  const title = escapeHtml(heading);
  return reply
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="ru">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="stylesheet" href="/dev/mailbox/style.css"></head>
<body><h1>${title}</h1>
${content}
</body>
</html>
`);
}
