import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import {
  createSettingSet,
  deleteSettingSet,
  listToolSettings,
  renameSettingSet,
} from '#api/services/generations/tools/tool-settings.ts';
import {
  createSettingSet as createSettingSetEndpoint,
  deleteSettingSet as deleteSettingSetEndpoint,
  getToolSettings,
  renameSettingSet as renameSettingSetEndpoint,
} from '#shared/contract/tool-settings.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** The last settings of each tool, and the sets that a person has named. */
export function addToolSettingRoutes(server: FastifyInstance, app: AppContext): void {
  const limit = { limit: REQUEST_LIMITS.settingSets };
  bindEndpoint(server, getToolSettings, ({ account }) => listToolSettings(app, account.id));
  bindEndpoint(server, createSettingSetEndpoint, ({ account, body }) => createSettingSet(app, account.id, body), limit);
  bindEndpoint(
    server,
    renameSettingSetEndpoint,
    ({ account, params, body }) => renameSettingSet(app, account.id, params.id, body.name),
    limit,
  );
  bindEndpoint(server, deleteSettingSetEndpoint, ({ account, params }) => deleteSettingSet(app, account.id, params.id));
}
