import type { AppContext } from '#api/services/app-context.ts';
import { runGeneration } from '#api/services/generations/run-generation.ts';

/** Attends to generations, as many at a time as the engine bears. */
export function workOnGenerations(app: AppContext): Promise<void> {
  return app.queue.work('run-generation', { concurrency: app.engine.concurrency }, ({ generationId }, signal) =>
    runGeneration(app, generationId, signal),
  );
}
