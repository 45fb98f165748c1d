import { AsyncLocalStorage } from 'node:async_hooks';
import type { AppContext } from '#api/services/app-context.ts';

interface Life {
  generationId: string;
  isDead: boolean;
}

/** Processes that die before a statement or at a call of the engine. Each works on one generation. */
export interface MortalProcesses {
  /** How often a process died, by generation. */
  readonly deaths: ReadonlyMap<string, number>;
  /** Ends the calling process. No statement of it gets through after that. */
  die(): Error;
  /** Works in a process of its own. Returns false when it died. */
  run(
    app: AppContext,
    generationId: string,
    work: (mortal: AppContext, signal: AbortSignal) => Promise<unknown>,
  ): Promise<boolean>;
}

/** `mayDie`: whether a process dies before this statement. */
export function createMortalProcesses(mayDie: () => boolean): MortalProcesses {
  const current = new AsyncLocalStorage<Life>();
  const deaths = new Map<string, number>();

  function end(life: Life | undefined): Error {
    if (life && !life.isDead) {
      life.isDead = true;
      deaths.set(life.generationId, (deaths.get(life.generationId) ?? 0) + 1);
    }
    return new Error('the process died');
  }

  return {
    deaths,
    die: () => end(current.getStore()),
    async run(app, generationId, work) {
      const life: Life = { generationId, isDead: false };
      const stop = new AbortController();
      const db = new Proxy(app.db, {
        get(target, name) {
          if (!life.isDead && mayDie()) end(life);
          if (life.isDead) {
            const death = end(life);
            stop.abort(death);
            throw death;
          }
          const part: unknown = Reflect.get(target, name);
          // Bound, so that the client's own inner calls are not counted as statements.
          return typeof part === 'function' ? part.bind(target) : part;
        },
      });
      try {
        await current.run(life, () => work({ ...app, db }, stop.signal));
      } catch (error) {
        if (!life.isDead) throw error;
      }
      return !life.isDead;
    },
  };
}
