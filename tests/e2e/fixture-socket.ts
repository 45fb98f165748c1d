import { createServer, request } from 'node:http';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import type { AppContext } from '#api/services/app-context.ts';

type FixtureCommands = Record<string, (app: AppContext, options: unknown) => Promise<unknown>>;

const addressIn = (dataDir: string) => path.join(dataDir, 'fixture.sock');

/** Lets tests in other processes run fixture commands in this program: JSON by HTTP over a socket in its data folder. */
export async function listenForFixture(app: AppContext, commands: FixtureCommands): Promise<void> {
  const server = createServer(async (asked, answer) => {
    const command = commands[asked.url?.slice(1) ?? ''];
    try {
      if (!command) throw new Error(`There is no command ${asked.url}`);
      answer.end(JSON.stringify((await command(app, await json(asked))) ?? {}));
    } catch (error) {
      answer.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(addressIn(app.config.dataDir), resolve));
  server.unref();
}

/** Runs a fixture command in the program and returns its answer. */
export async function askFixture(dataDir: string, command: string, options: object): Promise<unknown> {
  const asked = request({ socketPath: addressIn(dataDir), method: 'POST', path: `/${command}` });
  const { statusCode, body } = await new Promise<{ statusCode: number | undefined; body: string }>(
    (resolve, reject) => {
      asked.once('error', reject);
      asked.once('response', (answer) => {
        text(answer).then((body) => resolve({ statusCode: answer.statusCode, body }), reject);
      });
      asked.end(JSON.stringify(options));
    },
  );
  if (statusCode !== 200) throw new Error(body);
  return JSON.parse(body);
}
