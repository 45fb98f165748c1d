export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails. Throws when the mail was not taken over by the server. */
export interface Mailer {
  readonly name: string;
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
