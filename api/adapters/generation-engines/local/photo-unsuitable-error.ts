/** The photo does not allow what was ordered, but another photo would. The message is for the log. */
export class PhotoUnsuitableError extends Error {
  override readonly name = 'PhotoUnsuitableError';
}
