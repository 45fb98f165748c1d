/** The reason of a job's signal when the process stops. A job that took too long or was taken over has another one. */
export class ProcessStopError extends Error {
  override name = 'ProcessStopError';

  constructor() {
    super('the process stops');
  }
}
