import type { EngineJob, EngineReport, SubmitAnswer } from '#api/adapters/generation-engines/generation-engine.ts';
import { createFalClient, type FalAccess } from './fal-client.ts';
import { TEXT_FAMILIES } from './fal-families.ts';
import { createFalHosts } from './fal-hosts.ts';
import { pollJob } from './fal-jobs.ts';
import type { FalModels } from './fal-models.ts';

/** Makes single pictures from words. Each submit is a paid run, and none is repeated here. */
export interface Photographer {
  /** Throws FalUnreachableError only when the order was certainly not sent. */
  submit(prompt: string): Promise<SubmitAnswer>;
  /** Throws FalUnreachableError. */
  poll(job: EngineJob): Promise<EngineReport>;
}

export function createFalPhotographer(
  access: FalAccess,
  { id, family, inputs }: NonNullable<FalModels['catalogue']>,
  otherHosts: FalModels['hosts'],
): Photographer {
  const hosts = createFalHosts([access.queueUrl, access.restUrl], otherHosts);
  const client = createFalClient(access, hosts);
  return {
    submit: (prompt) => client.submit(id, { ...TEXT_FAMILIES[family](prompt), ...inputs }, null),
    poll: (job) => pollJob({ client, hosts }, job, [0]),
  };
}
