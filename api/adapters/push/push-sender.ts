export interface PushAddress {
  /** URL at the browser's push service. A secret. */
  endpoint: string;
  /** The browser's public key and its secret, base64url. */
  p256dh: string;
  auth: string;
}

export interface PushMessage {
  /** Plain text, at most 3993 bytes. It is sent encrypted. */
  body: string;
  /** How long the push service keeps the message for a browser that is offline. */
  ttlSeconds: number;
  /** At most 32 characters of base64url. The message replaces an undelivered one with the same topic. */
  topic: string;
}

export type PushOutcome =
  | { state: 'sent' }
  /** The subscription has ended for good. */
  | { state: 'gone'; detail: string }
  /** The message or the sender is refused. Repeating it would change nothing. */
  | { state: 'refused'; detail: string }
  /** Try again later. `retryAfterSeconds`: what the service asks for. */
  | { state: 'busy'; detail: string; retryAfterSeconds: number | null };

export interface PushSender {
  /** The sender's public key, base64url. Browsers need it to subscribe. */
  readonly publicKey: string;
  /** Whether an endpoint belongs to a push service on the list. */
  isAllowed(endpoint: string): boolean;
  /** Failures of a push service are outcomes; it never throws for them. */
  send(address: PushAddress, message: PushMessage): Promise<PushOutcome>;
  close(): void;
}
