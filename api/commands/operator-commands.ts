import type { AppContext } from '#api/services/app-context.ts';
import { runAdminCommand } from './admin.ts';
import { runBooksCommand } from './books.ts';
import { runPackagesCommand } from './packages.ts';

/** What a command gets: the running process's own context, or as much of one as the command opens by itself. */
export interface OperatorContext extends Pick<AppContext, 'db' | 'state'> {
  config: Pick<AppContext['config'], 'adminUserIds' | 'sessionSecret'>;
}

/** What the operator can have done, by the name behind `npm run`. Each returns what is to be printed. */
export const OPERATOR_COMMANDS = {
  admin: runAdminCommand,
  books: runBooksCommand,
  packages: runPackagesCommand,
} as const satisfies Record<string, (app: OperatorContext, args: string[]) => Promise<string>>;

export type OperatorCommand = keyof typeof OPERATOR_COMMANDS;

export function isOperatorCommand(name: string): name is OperatorCommand {
  return Object.hasOwn(OPERATOR_COMMANDS, name);
}
