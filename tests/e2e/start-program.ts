// What the browser tests run against: the program as `npm start` runs it, with a Telegram of its own, whose operator's door
// also takes the commands that put a scene together. Only the tests start it so.
import { prepare } from '#api/commands/prepare.ts';
import { createFakeTelegram, FAKE_TOKEN } from '#tests/support/fake-telegram.ts';

prepare({ pwa: true });
const telegram = await createFakeTelegram();
Object.assign(process.env, { TELEGRAM_BOT_TOKEN: FAKE_TOKEN, TELEGRAM_API_ROOT: telegram.apiRoot });
// Only now: these import what `prepare` generates.
const { OPERATOR_COMMANDS } = await import('#api/commands/operator-commands.ts');
const { SCENE_COMMANDS } = await import('./scene-commands.ts');
const { createTelegramCommands } = await import('./telegram-commands.ts');
Object.assign(OPERATOR_COMMANDS, SCENE_COMMANDS, createTelegramCommands(telegram));
await import('#api/commands/start.ts');
