import type { EngineJob } from '#api/adapters/generation-engines/generation-engine.ts';
import { createFalClient, type FalAccess } from './fal-client.ts';
import { TEXT_FAMILIES } from './fal-families.ts';
import { createFalHosts } from './fal-hosts.ts';
import { pollJob } from './fal-jobs.ts';
import type { FalModels } from './fal-models.ts';

export type Photographer = ReturnType<typeof createFalPhotographer>;

/** Makes single pictures from words. Each submit is a paid run, and none is repeated here. */
export function createFalPhotographer(
  access: FalAccess,
  { id, family, inputs }: NonNullable<FalModels['catalogue']>,
  otherHosts: FalModels['hosts'],
) {
  const hosts = createFalHosts([access.queueUrl, access.restUrl], otherHosts);
  const client = createFalClient(access, hosts);
  return {
    /** Throws FalUnreachableError only when the order was certainly not sent. */
    submit: (prompt: string) => client.submit(id, { ...TEXT_FAMILIES[family](prompt), ...inputs }, null),
    /** Throws FalUnreachableError. */
    poll: (job: EngineJob) => pollJob({ client, hosts }, job, [0]),
  };
}
