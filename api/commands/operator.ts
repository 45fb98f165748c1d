// Entry of the operator's commands: `node api/commands/operator.ts <command> …`, behind `npm run <command> -- …`.
import { prepare } from './prepare.ts';
import { reportCommandError } from './report-start-error.ts';

try {
  prepare({ pwa: false });
  const { runOperatorCommand } = await import('./run-operator-command.ts');
  const [name = '', ...args] = process.argv.slice(2);
  console.log(await runOperatorCommand(name, args));
  process.exit();
} catch (error) {
  // What the doctor has found is its output, also for a program that reads it as JSON.
  if (error instanceof Error && error.name === 'TroublesFoundError') {
    console.log(error.message);
    process.exit(1);
  }
  reportCommandError(error);
}
