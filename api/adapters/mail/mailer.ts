export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails. Throws when the server did not accept the mail. */
export interface Mailer {
  readonly name: string;
  send(mail: Mail): Promise<void>;
  /** Resolves when a mail would be taken, as far as that can be told without sending one. Throws otherwise. */
  check(): Promise<void>;
  /** Removes mails that have been in the outbox for too long, also when mails are sent by a server by now. */
  removeOld(): Promise<void>;
  close(): Promise<void>;
}
