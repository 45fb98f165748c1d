import type { AppContext } from '#api/services/app-context.ts';

/** What an operator's command may use. */
export interface OperatorContext extends Pick<AppContext, 'db' | 'state' | 'storage'> {
  config: Pick<AppContext['config'], 'adminUserIds' | 'sessionSecret' | 'dataDir'>;
}

/** Prints a line while a command runs. */
export type Report = (line: string) => void;
