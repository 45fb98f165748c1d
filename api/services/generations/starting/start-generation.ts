import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { ToolOrder } from '#api/services/generations/tools/generation-tool.ts';
import { TOOL_TABLE } from '#api/services/generations/tools/tool-table.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { type InputRoleOf, TOOLS } from '#shared/rules/tools.ts';
import { acceptGeneration, type InputSource } from './accept-generation.ts';
import type { BatchedStart } from './insert-generation.ts';

export interface GenerationRequest<Kind extends GenerationKind> extends Pick<ToolOrder<Kind>, 'photos' | 'choice'> {
  account: { id: number };
  kind: Kind;
  /** The price that the person has agreed to. Null or absent when the client names none. */
  agreedStars?: number | null;
  /** The idempotency key of the client. The same key with the same request returns the same generation. */
  key: string | null;
  /** The row of a batch that it is started for. Absent when a person starts it. */
  row?: BatchedStart;
}

/**
 * Starts a generation of any kind, for every door. Nothing is stored or charged before its tool has checked the choice.
 * Throws what `prepare` of the tool throws, photo_missing, and what acceptGeneration throws.
 */
export async function startGeneration<Kind extends GenerationKind>(
  app: AppContext,
  { account, kind, photos, choice, agreedStars, key, row }: GenerationRequest<Kind>,
): Promise<{ generationId: string }> {
  const prepared = await TOOL_TABLE[kind].prepare(app, { accountId: account.id, photos, choice });
  return acceptGeneration(app, {
    accountId: account.id,
    kind,
    sources: listSources(kind, photos),
    ...prepared,
    agreedPrice: agreedStars ?? null,
    idempotencyKey: key,
    row,
  });
}

/** The photos in the order that the tool defines. Throws photo_missing. */
function listSources<Kind extends GenerationKind>(kind: Kind, photos: ToolOrder<Kind>['photos']): InputSource[] {
  const roles: readonly InputRoleOf<Kind>[] = TOOLS[kind].inputs;
  return roles.map((role) => {
    const source = photos[role];
    if (!source) throw new AppError('photo_missing');
    return { role, source };
  });
}
