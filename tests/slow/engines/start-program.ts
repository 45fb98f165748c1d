// Starts the program for the journeys of generative engines: as it is, but for the fake of its engine, and the commands
// of the fixture on a socket.
import { prepare } from '#api/commands/prepare.ts';
import { startFakeProvider } from './fake-provider.ts';

prepare({ pwa: true });
const provider = await startFakeProvider(process.env.ENGINE);
Object.assign(process.env, provider.settings);
// Imported only now, because these modules import what `prepare` generates.
const { main } = await import('#api/main.ts');
const { FIXTURE_COMMANDS } = await import('#tests/e2e/fixture-commands.ts');
const { listenForFixture } = await import('#tests/e2e/fixture-socket.ts');
const { createEngineCommands } = await import('./engine-commands.ts');

const { app } = await main();
await listenForFixture(app, { ...FIXTURE_COMMANDS, ...createEngineCommands(provider) });
