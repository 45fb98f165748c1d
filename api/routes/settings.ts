import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/app-context.ts';
import { readBrowser, readSessionToken, setSessionCookie } from '#api/plugins/session-cookie.ts';
import {
  changeName,
  changePassword,
  endOneSession,
  endOtherSessions,
  listAccountSessions,
} from '#api/services/account-settings.ts';
import * as contract from '#shared/contract/settings.ts';
import { bindEndpoint } from './bind-endpoint.ts';

const NAME_LIMIT = { max: 30, timeWindow: '1 minute' } as const;

/** What people change about their own account. */
export function addSettingsRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    contract.changeName,
    ({ account, body: { username } }) => changeName(app, { accountId: account.id, username }),
    { limit: NAME_LIMIT },
  );
  bindEndpoint(server, contract.changePassword, async ({ account, body, request, reply }) => {
    const session = await changePassword(app, { accountId: account.id, ...body, browser: readBrowser(request) });
    setSessionCookie(reply, app, session.token);
    return undefined;
  });
  bindEndpoint(server, contract.listSessions, async ({ account, request }) => ({
    sessions: await listAccountSessions(app, { accountId: account.id, token: readSessionToken(request) }),
  }));
  bindEndpoint(server, contract.endOneSession, async ({ account, params: { id } }) => {
    await endOneSession(app, { accountId: account.id, id });
    return undefined;
  });
  bindEndpoint(server, contract.endOtherSessions, async ({ account, request }) => {
    await endOtherSessions(app, { accountId: account.id, token: readSessionToken(request) });
    return undefined;
  });
}
