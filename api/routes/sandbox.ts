import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { renderSandboxPage } from './sandbox-page.ts';

type Sandbox = NonNullable<AppContext['sandbox']>;

const PWA = path.resolve(import.meta.dirname, '../../pwa');
const PAGE_STYLES = path.join(import.meta.dirname, 'sandbox-page.css');
const DECISIONS = { pay: 'succeeded', decline: 'canceled' } as const;

interface OfPayment {
  Params: { id: string };
}
const fontParams = z.object({ file: z.string().regex(/^[\w-]{1,80}\.woff2$/) });

/**
 * The payment page of the sandbox, which stands in for a provider's site. Works without scripts and without a session.
 */
export async function addSandboxRoutes(server: FastifyInstance, sandbox: Sandbox): Promise<void> {
  const styles = await readStyles();
  const route = { schema: { hide: true }, config: { limit: REQUEST_LIMITS.any } };

  server.get('/sandbox/pay.css', route, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('Cache-Control', 'public, max-age=3600').send(styles),
  );
  server.get(
    '/sandbox/assets/fonts/:file',
    { ...route, schema: { hide: true, params: fontParams } },
    async (request, reply) => {
      const { file } = fontParams.parse(request.params);
      const font = await readFile(path.join(PWA, 'assets/fonts', file)).catch(() => null);
      if (!font) throw new AppError('route_not_found');
      return reply.type('font/woff2').header('Cache-Control', 'public, max-age=86400').send(font);
    },
  );

  server.get<OfPayment>('/sandbox/pay/:id', route, async (request, reply) => {
    const payment = await sandbox.findPayment(request.params.id);
    return reply
      .code(payment ? 200 : 404)
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(renderSandboxPage(payment));
  });

  await server.register(async (forms) => {
    // The address says which button was pressed. The forms are empty.
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
      done(null, undefined),
    );
    forms.post<OfPayment>('/sandbox/pay/:id/leave', route, (request, reply) =>
      goBack(sandbox, request.params.id, reply),
    );
    for (const [action, decision] of Object.entries(DECISIONS)) {
      forms.post<OfPayment>(`/sandbox/pay/:id/${action}`, route, async ({ params: { id } }, reply) => {
        if (await sandbox.findPayment(id)) await sandbox.decide(id, decision);
        return goBack(sandbox, id, reply);
      });
    }
  });
}

async function goBack(sandbox: Sandbox, id: string, reply: FastifyReply): Promise<FastifyReply> {
  const payment = await sandbox.findPayment(id);
  if (!payment) throw new AppError('route_not_found');
  return reply.redirect(payment.returnUrl, 303);
}

/**
 * The interface's design tokens, with `@theme` replaced by something that browsers understand, and the styles of this
 * page.
 */
async function readStyles(): Promise<string> {
  const tokens = await readFile(path.join(PWA, 'tokens.css'), 'utf8');
  const rules = tokens.replace('@theme {', ':root {');
  if (rules === tokens) throw new Error('pwa/tokens.css has no «@theme {»: the payment page would have no colours');
  return rules + (await readFile(PAGE_STYLES, 'utf8'));
}
