import type { FastifyInstance } from 'fastify';
import { ownSession } from '#api/plugins/session-cookie.ts';
import {
  assertConfirmed,
  beginSecondFactor,
  confirmAdministrator,
  finishSecondFactor,
  readSecondFactor,
} from '#api/services/accounts/admin-confirmation.ts';
import {
  correctStars,
  listPayments,
  listUserStars,
  listUsers,
  presentRefund,
} from '#api/services/administration/administration.ts';
import { readEngineStates, tryEngineAgain } from '#api/services/administration/engines.ts';
import { grantInterview, listInterviewRequests } from '#api/services/administration/interviews.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { listAuditEntries } from '#api/services/core/audit.ts';
import { requestRefund } from '#api/services/payments/refunds.ts';
import * as contract from '#shared/contract/administration.ts';
import { getEngineStates, tryEngineAgain as tryEngineAgainEndpoint } from '#shared/contract/engines.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { readIdempotencyKey } from './request-headers.ts';

/** Calls for administrators only. */
export function addAdministrationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, contract.listPayments, ({ query }) => listPayments(app, query));
  addConfirmationRoutes(server, app);
  bindEndpoint(server, contract.refundPayment, async ({ account, params, body, request }) => {
    await assertConfirmed(app, ownSession(app, account, request));
    const refund = await requestRefund(app, {
      paymentId: params.id,
      amountMinor: body.amountRub === undefined ? null : Math.round(body.amountRub * 100),
      reason: body.reason,
      adminId: account.id,
      idempotencyKey: readIdempotencyKey(request),
    });
    return { ...presentRefund(refund), starsMissing: refund.stars - refund.starsTaken };
  });
  bindEndpoint(server, contract.listUsers, ({ query }) =>
    query.search ? app.state.semaphores.administration.run(() => listUsers(app, query)) : listUsers(app, query),
  );
  bindEndpoint(server, contract.listUserStars, async ({ params }) => ({
    entries: await listUserStars(app, params.id),
  }));
  bindEndpoint(server, contract.correctStars, async ({ account, params, body, request }) => {
    await assertConfirmed(app, ownSession(app, account, request));
    const correction = { adminId: account.id, accountId: params.id, ...body };
    return { balance: await correctStars(app, { ...correction, idempotencyKey: readIdempotencyKey(request) }) };
  });
  bindEndpoint(server, contract.listInterviewRequests, ({ query }) => listInterviewRequests(app, query.cursor));
  bindEndpoint(server, contract.grantInterviewBonus, async ({ account, params, request }) => {
    await assertConfirmed(app, ownSession(app, account, request));
    return grantInterview(app, account.id, params.id);
  });
  bindEndpoint(server, getEngineStates, () => readEngineStates(app));
  bindEndpoint(server, tryEngineAgainEndpoint, ({ account, params }) => tryEngineAgain(app, account.id, params.id));
  bindEndpoint(server, contract.listAuditEntries, ({ query }) => listAuditEntries(app, query.cursor));
}

/** The second factor of administrators, and the confirmation of a session by it. */
function addConfirmationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, contract.getSecondFactor, ({ account, request }) =>
    readSecondFactor(app, ownSession(app, account, request)),
  );
  bindEndpoint(server, contract.beginSecondFactor, ({ account: { id, email }, body }) =>
    beginSecondFactor(app, { accountId: id, email, ...body }),
  );
  bindEndpoint(server, contract.finishSecondFactor, ({ account, body, request }) =>
    finishSecondFactor(app, { ...ownSession(app, account, request), ...body }),
  );
  bindEndpoint(server, contract.confirmAdministrator, ({ account, body, request }) =>
    confirmAdministrator(app, { ...ownSession(app, account, request), ...body }),
  );
}
