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

/** For nodemailer. Quoted-printable keeps Latin text readable in the raw file. */
export function composeMail(from: string, mail: Mail) {
  return {
    from,
    ...mail,
    textEncoding: 'quoted-printable' as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** No mail is taken at the moment, whoever it is for. */
export class MailUnavailableError extends Error {
  /** The code of its cause: one of the file system, or of the mail library. */
  readonly code: string | undefined;

  constructor(cause: Error & { code?: string }) {
    super('No mail is taken', { cause });
    this.name = 'MailUnavailableError';
    this.code = cause.code;
  }
}

/** Calls `work`, whose failure says that no mail is taken. `isAboutMail`: tells errors about one mail, which stay. */
export async function onMailServer<T>(
  work: () => Promise<T>,
  isAboutMail: (error: Error) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || isAboutMail(error)) throw error;
    throw new MailUnavailableError(error);
  }
}
