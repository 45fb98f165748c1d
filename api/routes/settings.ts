import type { FastifyInstance } from 'fastify';
import { ownSession, readBrowser, setSessionCookie, setSignInCookies } from '#api/plugins/session-cookie.ts';
import { exportAccount } from '#api/services/account-lifecycle/export.ts';
import { cancelDeletion, requestDeletion } from '#api/services/accounts/deletion.ts';
import { askEmailChange, confirmEmailChange } from '#api/services/accounts/email-change.ts';
import {
  changeName,
  changeNotificationSettings,
  changePassword,
  endOneSession,
  endOtherAccess,
  getNotificationSettings,
  listAccountChats,
  listAccountSessions,
} from '#api/services/accounts/settings.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import * as contract from '#shared/contract/settings.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { sendArchive } from './send-archive.ts';

/** Settings that people change about their own account. */
export function addSettingsRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    contract.changeName,
    ({ account, body: { username } }) => changeName(app, { accountId: account.id, username }),
    { limit: REQUEST_LIMITS.settings },
  );
  bindEndpoint(server, contract.changePassword, async ({ account, body, request, reply }) => {
    const changed = await changePassword(app, { accountId: account.id, ...body, browser: readBrowser(app, request) });
    setSignInCookies(app, { request, reply }, { account, ...changed });
  });
  bindEndpoint(
    server,
    contract.askEmailChange,
    ({ account, body }) => askEmailChange(app, { accountId: account.id, ...body }),
    { limit: REQUEST_LIMITS.newAddress },
  );
  bindEndpoint(
    server,
    contract.confirmEmailChange,
    async ({ account, body: { code }, request, reply }) => {
      const changed = await confirmEmailChange(app, {
        accountId: account.id,
        code,
        browser: readBrowser(app, request),
      });
      setSessionCookie(reply, app, changed.session.token);
      return changed.account;
    },
    { limit: REQUEST_LIMITS.code },
  );
  bindEndpoint(server, contract.listSessions, async ({ account, request }) => ({
    sessions: await listAccountSessions(app, ownSession(app, account, request)),
    chats: await listAccountChats(app, account.id),
  }));
  bindEndpoint(server, contract.endOneSession, ({ account, params: { id } }) =>
    endOneSession(app, { accountId: account.id, id }),
  );
  bindEndpoint(server, contract.endOtherSessions, ({ account, request }) =>
    endOtherAccess(app, ownSession(app, account, request)),
  );
  bindEndpoint(server, contract.getNotificationSettings, ({ account }) => getNotificationSettings(app, account.id));
  bindEndpoint(
    server,
    contract.changeNotificationSettings,
    ({ account, body }) => changeNotificationSettings(app, account.id, body),
    { limit: REQUEST_LIMITS.settings },
  );
  addLeavingRoutes(server, app);
}

/** Export of all data, and deletion of the account. */
function addLeavingRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    contract.exportAccount,
    async ({ account, request, reply }) =>
      sendArchive(app, { request, reply, archive: exportAccount(app, account.id) }),
    { limit: REQUEST_LIMITS.accountExport },
  );
  bindEndpoint(server, contract.requestDeletion, ({ account, body, request }) =>
    requestDeletion(app, { ...ownSession(app, account, request), ...body }),
  );
  bindEndpoint(server, contract.cancelDeletion, ({ account }) => cancelDeletion(app, account.id));
}
