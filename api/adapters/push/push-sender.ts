/** Where one browser is reached: what its `PushSubscription` says of itself. */
export interface PushAddress {
  /** At the browser's own push service; a secret. */
  endpoint: string;
  /** The browser's public key and its secret, base64url. */
  p256dh: string;
  auth: string;
}

export interface PushMessage {
  /** Plain text, at most 3993 bytes; it travels encrypted. */
  body: string;
  /** How long the push service keeps it for a browser that is away. */
  ttlSeconds: number;
  /** At most 32 letters of base64url: replaces an undelivered message of the same topic. */
  topic: string;
}

export type PushOutcome =
  | { state: 'sent' }
  /** The subscription has ended and never comes back. */
  | { state: 'gone'; detail: string }
  /** This message or this sender is not taken; the same again changes nothing. */
  | { state: 'refused'; detail: string }
  /** Not now. `retryAfterSeconds`: what the service asks for. */
  | { state: 'busy'; detail: string; retryAfterSeconds: number | null };

/** Sends messages to browsers through their push services. */
export interface PushSender {
  /** What a browser subscribes with: the sender's public key, base64url. */
  readonly publicKey: string;
  /** Whether an endpoint lies at a push service that may be written to. */
  isAllowed(endpoint: string): boolean;
  /** Never throws for what a push service does or fails to do. */
  send(address: PushAddress, message: PushMessage): Promise<PushOutcome>;
  close(): void;
}
