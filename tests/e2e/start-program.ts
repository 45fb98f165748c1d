// Starts the program for the browser tests: with a fake Telegram, a fake engine, and the fixture commands on a socket.
import path from 'node:path';
import { prepare } from '#api/commands/prepare.ts';
import { createFakeTelegram, FAKE_TOKEN } from '#tests/support/fake-telegram.ts';

prepare({ pwa: true });
const telegram = await createFakeTelegram();
Object.assign(process.env, { TELEGRAM_BOT_TOKEN: FAKE_TOKEN, TELEGRAM_API_ROOT: telegram.apiRoot });
// Imported only now, because these modules import what `prepare` generates.
const { createLocalEngine } = await import('#api/adapters/generation-engines/local/local-engine.ts');
const { readConfig } = await import('#api/config/config.ts');
const { createLogger } = await import('#api/telemetry/log.ts');
const { main } = await import('#api/main.ts');
const { createPaceCommands, FIXTURE_COMMANDS } = await import('./fixture-commands.ts');
const { createFixtureEngine } = await import('./fixture-engine.ts');
const { listenForFixture } = await import('./fixture-socket.ts');

const config = readConfig();
const workDir = path.join(config.dataDir, 'renders');
const started = Promise.withResolvers<Awaited<ReturnType<typeof main>>>();
const engine = await createFixtureEngine({
  local: await createLocalEngine({ workDir, encoder: config.videoEncoder, log: createLogger(config) }),
  folder: path.join(config.dataDir, 'fixture-results'),
  async findAccountId(id) {
    const { app } = await started.promise;
    return (await app.db.generation.findUniqueOrThrow({ where: { id }, select: { accountId: true } })).accountId;
  },
});
started.resolve(await main({ engine }));
await listenForFixture((await started.promise).app, { ...FIXTURE_COMMANDS, ...createPaceCommands(engine) });
// For a parent that waits for the commands too.
process.send?.('ready');
