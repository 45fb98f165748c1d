import type { AppContext } from '#api/services/app-context.ts';
import { runGeneration } from '#api/services/generations/run-generation.ts';

/** Runs generations, as many at a time as the engine allows. */
export function workOnGenerations(app: AppContext): Promise<void> {
  return app.queue.work('run-generation', { concurrency: app.engine.concurrency }, ({ generationId }, signal) =>
    runGeneration(app, generationId, signal),
  );
}
