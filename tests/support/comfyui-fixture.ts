import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createComfyuiEngine } from '#api/adapters/generation-engines/comfyui/comfyui-engine.ts';
import type {
  EngineJob,
  EngineOutput,
  EngineReport,
  GenerationEngine,
  ModelChangeOrder,
  PhotosessionOrder,
  VideoOrder,
} from '#api/adapters/generation-engines/generation-engine.ts';
import { orderOf, prepareOrders } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import { createFakeComfyui, type FakeComfyui } from './fake-comfyui.ts';
import type { FakeComfyuiBehaviour } from './fake-comfyui-runner.ts';
import { until } from './until.ts';

export const SHIPPED_WORKFLOWS = path.resolve('api/adapters/generation-engines/comfyui/workflows');

type Options = Partial<Parameters<typeof createComfyuiEngine>[0]>;

/** An engine and the servers that it uses. */
export interface ComfyuiFixture {
  engine: GenerationEngine;
  servers: FakeComfyui[];
  /** The first server. */
  server: FakeComfyui;
  /** What the engine logs: «warn ComfyUI server does not work». */
  logged: string[];
  /** Another engine on the same servers, as after a restart of the process. */
  startEngine(options?: Options): Promise<GenerationEngine>;
  close(): Promise<void>;
}

/** Pauses are so short that tests need not wait, and a lost job needs two looks nevertheless. */
const SHORT_PAUSES = {
  pollMs: 10,
  stopLookMs: 100,
  firstRetryMs: 1,
  longestRetryMs: 1,
  forgottenAfterMs: 50,
  deadAfterMs: 50,
};

export async function createComfyuiFixture(
  { count = 1, ...behaviour }: Partial<FakeComfyuiBehaviour> & { count?: number } = {},
  options: Options = {},
): Promise<ComfyuiFixture> {
  await prepareOrders();
  const servers = await Promise.all(Array.from({ length: count }, () => createFakeComfyui(behaviour)));
  const logged: string[] = [];
  const log = {
    info: (_details: object, message: string) => void logged.push(`info ${message}`),
    warn: (_details: object, message: string) => void logged.push(`warn ${message}`),
  };
  const engines: GenerationEngine[] = [];
  const close = async () => {
    for (const engine of engines) await engine.close();
    for (const server of servers) await server.close();
  };
  const startEngine = async (own: Options = {}) => {
    const engine = await createComfyuiEngine({
      urls: servers.map(({ url }) => url),
      token: undefined,
      workflowsDir: SHIPPED_WORKFLOWS,
      log,
      ...options,
      ...own,
      pauses: { ...SHORT_PAUSES, ...options.pauses, ...own.pauses },
    });
    engines.push(engine);
    return engine;
  };
  const [server] = servers;
  if (!server) throw new Error('a fixture needs a server');
  try {
    return { engine: await startEngine(), servers, server, logged, startEngine, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The server takes the next job, its answer is lost, and then it does not answer any more for a moment. */
export function loseAnswer({ failNext }: FakeComfyui): void {
  failNext('/prompt', 'lose_answer');
  failNext('/api/jobs', 'cut');
}

const APART = { outputsOfOrder: 'apart' } as const;

export function orderVideo(changes: Partial<VideoOrder> = {}): VideoOrder {
  return { ...orderOf('video', APART), ...changes };
}

export function orderModelChange(changes: Partial<ModelChangeOrder> = {}): ModelChangeOrder {
  return { ...orderOf('model_change', APART), ...changes };
}

export function orderPose(position: number, changes: Partial<PhotosessionOrder> = {}): PhotosessionOrder {
  return { ...orderOf('photosession', APART, position), ...changes };
}

type ReportOf<State> = Extract<EngineReport, { state: State }>;

/** Polls until the job is in this state. */
export function pollUntil<State extends EngineReport['state']>(
  engine: GenerationEngine,
  job: EngineJob,
  state: State,
  positions: readonly number[] = [0],
): Promise<ReportOf<State>> {
  return until(async () => {
    const report = await engine.poll(job, { positions });
    if (report.state !== state) throw new Error(`the job is ${JSON.stringify(report)}`);
    return report as ReportOf<State>;
  });
}

/** The file of the only output. */
export async function download([output]: readonly EngineOutput[]): Promise<Buffer> {
  if (!output) throw new Error('there is no output');
  return buffer(await output.open());
}
