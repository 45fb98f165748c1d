// The operator's door: `node api/commands/operator.ts <command> …`, behind `npm run <command> -- …`.
import { prepare } from './prepare.ts';
import { reportStartError } from './report-start-error.ts';

try {
  prepare({ pwa: false });
  const { runOperatorCommand } = await import('./run-operator-command.ts');
  const [name = '', ...args] = process.argv.slice(2);
  console.log(await runOperatorCommand(name, args));
  process.exit();
} catch (error) {
  // A command's own complaint is a sentence; where in the code it was raised helps nobody.
  reportStartError(Object.assign(error instanceof Error ? error : new Error(String(error)), { name: 'AppError' }));
}
