import { z } from 'zod';
import type { EngineJob, GenerationOrder } from '#api/adapters/generation-engines/generation-engine.ts';
import { listPictures } from '#api/adapters/generation-engines/prompts.ts';
import type { FollowedJob } from './job-progress.ts';
import { findResultNode, listSamplers, type WorkflowTemplate } from './workflow-templates.ts';

/** What is stored about a job, so that another process can follow it. */
const jobDetails = z.object({
  server: z.string(),
  clientId: z.string(),
  makes: z.enum(['video', 'picture']),
  resultNode: z.string(),
  samplers: z.string().transform((ids) => ids.split(',').filter(Boolean)),
  /** `fixed`: the template leaves the size to its nodes. */
  size: z.enum(['full', 'reduced', 'fixed']),
  /** Which output of which generation the job makes. */
  output: z.string(),
});

/** Null when the details are not ours. */
export function readDetails(job: EngineJob): z.output<typeof jobDetails> | null {
  return jobDetails.safeParse(job.details).data ?? null;
}

/** Outputs that made a GPU run out of memory. The next attempt at each is smaller. A restart forgets them. */
export type ReducedOutputs = Set<string>;

interface DescribedJob {
  id: string;
  serverUrl: string;
  template: WorkflowTemplate;
  order: GenerationOrder;
  isReduced: boolean;
}

export function describeJob({ id, serverUrl, template, order, isReduced }: DescribedJob): EngineJob {
  const details: z.input<typeof jobDetails> = {
    server: serverUrl,
    clientId: order.runId,
    makes: order.kind === 'video' ? 'video' : 'picture',
    resultNode: findResultNode(template),
    samplers: listSamplers(template).join(','),
    size: template.slots.has('IN:WIDTH') ? (isReduced ? 'reduced' : 'full') : 'fixed',
    output: nameOutput(order),
  };
  return { id, details };
}

export function describeFollowed(job: EngineJob): FollowedJob {
  const { server, clientId, samplers } = jobDetails.parse(job.details);
  return { id: job.id, clientId, serverUrl: server, samplers };
}

export function nameTemplate(order: GenerationOrder): string {
  return `${order.kind}.${listPictures(order).length}.json`;
}

export function nameOutput({ generationId, positions }: GenerationOrder): string {
  return `${generationId}/${positions[0] ?? 0}`;
}
