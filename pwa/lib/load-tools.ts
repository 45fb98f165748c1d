import { getToolAbilities, type ToolAbilities } from '#shared/contract/tools.ts';
import { callApi } from './api-client.ts';

export function loadTools(signal: AbortSignal): Promise<ToolAbilities> {
  return callApi(getToolAbilities, undefined, { signal });
}
