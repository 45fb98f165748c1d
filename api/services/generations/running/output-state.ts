import type { EngineOutput, GenerationEngine } from '#api/adapters/generation-engines/generation-engine.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { listPositions } from '#api/services/generations/results/outputs.ts';
import type { EngineRun, Generation } from '#prisma/generated/client.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import type { GenerationFailureCode } from '#shared/rules/generation-lifecycle.ts';

const MAX_PAUSE_MS = 60_000;

/** The state of one output after a step. */
export type OutputState =
  | { state: 'waiting' }
  | { state: 'preparing' | 'running'; share: number | null; outputs?: EngineOutput[] }
  /** `outputs`: its files, or none when they are booked already. */
  | { state: 'done'; run: EngineRun; outputs: EngineOutput[] }
  | { state: 'failed'; code: GenerationFailureCode };

/** What one step of a generation works on. */
export interface StepContext {
  app: AppContext;
  engine: GenerationEngine;
  task: Generation;
  /** Outputs that this follower has tried to store. */
  storedPositions: Set<number>;
  /** Engines without capacity, by the position of the output that waits for them. */
  overloads: Map<number, Overload>;
}

/** An engine without capacity, or out of reach: since when, how often in a row, and when it is asked again. */
export interface Overload {
  since: number;
  count: number;
  until: number;
}

/** Back-off: the pause before an engine is called again that failed so many times in a row. */
export function pauseAfter({ pollIntervalMs }: GenerationEngine, failures: number): number {
  return backOffMs(failures, { firstMs: pollIntervalMs, longestMs: MAX_PAUSE_MS });
}

/** The position of each job of the engine. One that makes all outputs is written down under the first one. */
export function listJobPositions(engine: GenerationEngine, task: Pick<Generation, 'kind' | 'positions'>): number[] {
  const outputs = listPositions(task);
  return engine.outputsOfOrder === 'together' ? outputs.slice(0, 1) : outputs;
}

/** The outputs that one job of the engine makes. */
export function positionsOf(
  engine: GenerationEngine,
  task: Pick<Generation, 'kind' | 'positions'>,
  position: number,
): number[] {
  return engine.outputsOfOrder === 'apart' ? [position] : listPositions(task);
}
