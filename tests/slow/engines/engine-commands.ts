import type { AppContext } from '#api/services/app-context.ts';
import type { FakeProvider } from './fake-provider.ts';

/** Commands for the fake of the engine. */
export function createEngineCommands(provider: FakeProvider) {
  return {
    /** The next orders wait, each until `engine-finish`. */
    'engine-hold': async () => provider.hold(),
    /** Finishes the oldest waiting job: `{isFinished}`. It is false while there is none. */
    'engine-finish': async () => ({ isFinished: await provider.finishOldest() }),
    /** The next order is refused because of its photo. */
    'engine-refuse': async () => provider.refuseNext(),
    /** The next order finds an engine that only the operator can mend. */
    'engine-break': async () => provider.breakDown(),
    /** The engine works as usual, and nothing keeps orders from it. */
    'engine-recover': async (app: AppContext) => {
      provider.recover();
      await app.db.engineOutage.updateMany({ where: { closedAt: null }, data: { closedAt: new Date() } });
    },
  };
}
