// Entry of `npm run catalogue`. It needs no database, so it runs beside the server and without one.
import { createInterface } from 'node:readline/promises';
import { trustAuthorities } from '#api/adapters/trust-authorities.ts';
import { reportCommandError } from '#api/commands/report-start-error.ts';
import { readCatalogueConfig } from '#api/config/config.ts';
import { runCatalogueCommand } from './run-catalogue-command.ts';

const stop = new AbortController();
// A second signal ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log('Останавливаюсь: жду ответов на отправленные заказы');
    stop.abort();
  });
}
try {
  const config = readCatalogueConfig();
  trustAuthorities(config.extraAuthorities);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const print = (line: string) => console.log(line);
  const dialogue = { print, ask: isTerminal ? ask : null, signal: stop.signal };
  console.log(await runCatalogueCommand(process.argv.slice(2), config, dialogue));
  process.exit();
} catch (error) {
  reportCommandError(error);
}

/** Whether the operator types «y». Ctrl-C and the end of the input mean no. */
async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const typed = terminal.question(question).catch(() => '');
  const answer = await Promise.race([typed, closed]);
  terminal.close();
  return /^(y|yes|д|да)$/i.test(answer.trim());
}
