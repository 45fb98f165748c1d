import type { AppContext } from '#api/services/app-context.ts';
import { runAdminCommand } from './admin.ts';
import { runBackupCommand } from './backup/backup.ts';
import { runBooksCommand } from './books.ts';
import { runPackagesCommand } from './packages.ts';

/** The context of a command: that of the running process, or a smaller one that the command opens itself. */
export interface OperatorContext extends Pick<AppContext, 'db' | 'state' | 'storage'> {
  config: Pick<AppContext['config'], 'adminUserIds' | 'sessionSecret' | 'dataDir'>;
}

/** How a command was called. */
export interface OperatorCall {
  /** Relative paths start here. The process that runs the command may have another working folder. */
  cwd: string;
  /** Prints a line while the command runs. */
  report(line: string): void;
  /** Aborts when the caller has gone. */
  signal: AbortSignal;
}

/** The operator's commands by their name after `npm run`. Each returns the text to print. */
export const OPERATOR_COMMANDS = {
  admin: runAdminCommand,
  backup: runBackupCommand,
  books: runBooksCommand,
  packages: runPackagesCommand,
} as const satisfies Record<string, (app: OperatorContext, args: string[], call: OperatorCall) => Promise<string>>;

export type OperatorCommand = keyof typeof OPERATOR_COMMANDS;

export function isOperatorCommand(name: string): name is OperatorCommand {
  return Object.hasOwn(OPERATOR_COMMANDS, name);
}
