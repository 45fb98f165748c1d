/** Errors that a person can fix are reported by their message. All others include the stack trace. */
const PLAIN = new Set([
  'ConfigError',
  'CatalogueError',
  'FalModelsError',
  'WorkflowTemplateError',
  'DatabaseNotReadyError',
  'UnfitDatabaseError',
  'FolderInUseError',
  'FileLockedError',
  'PrepareError',
  'KernelNotBuiltError',
]);

/** Reports why an operator's command failed and ends the process with 1. Its stack trace would help nobody. */
export function reportCommandError(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Reports why the program could not start or the command failed, and ends the process with 1. */
export function reportStartError(error: unknown): never {
  if (!(error instanceof Error)) console.error(error);
  else if (PLAIN.has(error.name)) console.error(error.message);
  else if ('code' in error && error.code === 'EADDRINUSE') {
    console.error(`${error.message}\nAnother program listens there. Stop it, or set another PORT (or MONITOR_PORT).`);
  } else console.error(error);
  process.exit(1);
}
