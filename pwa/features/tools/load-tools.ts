import { callApi } from '#pwa/client/api-client.ts';
import { getToolAbilities, type ToolAbilities } from '#shared/contract/tools.ts';

export function loadTools(signal: AbortSignal): Promise<ToolAbilities> {
  return callApi(getToolAbilities, undefined, { signal });
}
