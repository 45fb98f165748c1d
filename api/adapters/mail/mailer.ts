export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  readonly name: string;
  /** Throws MailUnavailableError, and another error when only this mail was not accepted. */
  send(mail: Mail): Promise<void>;
  /**
   * Resolves when a mail would be taken, as far as that can be told without sending one. Throws MailUnavailableError
   * otherwise.
   */
  check(): Promise<void>;
  /** Removes mails that have been in the outbox for too long, also when mails are sent by a server by now. */
  removeOld(): Promise<void>;
  close(): Promise<void>;
}

/** No mail is taken at the moment, whoever it is for. */
export class MailUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`No mail is taken: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.name = 'MailUnavailableError';
  }
}

/** Calls `work`, whose failure says that no mail is taken. `isAboutMail`: tells errors about one mail, which stay. */
export async function onMailServer<T>(
  work: () => Promise<T>,
  isAboutMail: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isAboutMail(error) ? error : new MailUnavailableError(error);
  }
}
