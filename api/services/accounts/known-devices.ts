import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '#api/platform/same-secret.ts';
import type { AppContext } from '#api/services/app-context.ts';

// A browser that has signed in to an account before carries a ticket for it, which outlives the session. The ticket lets
// nobody in. It gives the browser tries of its own, so that strangers cannot lock its owner out. A new password voids all
// tickets but the one of the browser that has set it: whoever knew the former password could have gathered many.

type Secrets = Pick<AppContext['config'], 'sessionSecret'>;

/** Accounts of one browser. Those used longest ago are dropped, because a cookie must stay short. */
const TICKETS_MAX = 5;
const DEVICE_ID_BYTES = 12;
const TICKET = /^(\d{1,10})\.([\w-]{16})\.([\w-]{43})$/;

interface Ticket {
  accountId: number;
  deviceId: string;
  signature: string;
}

export interface TicketOwner {
  id: number;
  passwordHash: string | null;
}

/** The id of the device if `tickets`, the value of its cookie, proves that it has signed in to the account before. */
export function findKnownDevice(secrets: Secrets, tickets: string | null, owner: TicketOwner): string | null {
  const ticket = readTickets(tickets).find(({ accountId }) => accountId === owner.id);
  if (!ticket) return null;
  const expected = sign(secrets, owner, ticket.deviceId);
  return isSameSecret(ticket.signature, expected) ? ticket.deviceId : null;
}

/** The tickets of a browser that has just signed in. A device that is known already keeps its id. */
export function addTicket(secrets: Secrets, tickets: string | null, owner: TicketOwner): string {
  const deviceId = findKnownDevice(secrets, tickets, owner) ?? randomBytes(DEVICE_ID_BYTES).toString('base64url');
  const own = { accountId: owner.id, deviceId, signature: sign(secrets, owner, deviceId) };
  return [own, ...readTickets(tickets).filter(({ accountId }) => accountId !== owner.id)]
    .slice(0, TICKETS_MAX)
    .map((ticket) => `${ticket.accountId}.${ticket.deviceId}.${ticket.signature}`)
    .join('~');
}

/** Tickets as they are written. Their signatures are checked when one is used. */
function readTickets(tickets: string | null): Ticket[] {
  return (tickets ?? '')
    .split('~')
    .slice(0, TICKETS_MAX)
    .flatMap((text) => {
      const [, accountId, deviceId = '', signature = ''] = TICKET.exec(text) ?? [];
      return accountId === undefined ? [] : [{ accountId: Number(accountId), deviceId, signature }];
    });
}

function sign({ sessionSecret }: Secrets, { id, passwordHash }: TicketOwner, deviceId: string): string {
  return createHmac('sha256', sessionSecret)
    .update(`known-device:${id}:${deviceId}:${passwordHash}`)
    .digest('base64url');
}
