// What the browser tests run against: the program as `npm start` runs it, whose operator's door also takes the commands
// that put a scene together. Only the tests start it so.
import { prepare } from '#api/commands/prepare.ts';

prepare({ pwa: true });
// Only now: these import what `prepare` generates.
const { OPERATOR_COMMANDS } = await import('#api/commands/operator-commands.ts');
const { SCENE_COMMANDS } = await import('./scene-commands.ts');
Object.assign(OPERATOR_COMMANDS, SCENE_COMMANDS);
await import('#api/commands/start.ts');
