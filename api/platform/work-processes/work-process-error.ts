/**
 * There was no process for a task, or it was killed before the task ended: the machine has too little memory, or too
 * many processes. Says nothing about the task, which may be done later.
 */
export class WorkProcessError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'WorkProcessError';
  }
}
