// Starts the program for the journeys of generative engines: as it is, but for the fake of its engine, and the commands
// of the scene on the operator's socket.
import { prepare } from '#api/commands/prepare.ts';
import { startFakeProvider } from './fake-provider.ts';

prepare({ pwa: true });
const provider = await startFakeProvider(process.env.ENGINE);
Object.assign(process.env, provider.settings);
// Imported only now, because these modules import what `prepare` generates.
const { OPERATOR_COMMANDS } = await import('#api/commands/operator-commands.ts');
const { listenForOperator } = await import('#api/commands/operator-socket.ts');
const { main } = await import('#api/main.ts');
const { SCENE_COMMANDS } = await import('#tests/e2e/scene-commands.ts');
const { createEngineCommands } = await import('./engine-commands.ts');

Object.assign(OPERATOR_COMMANDS, SCENE_COMMANDS, createEngineCommands(provider));
const { app } = await main();
await listenForOperator(app);
