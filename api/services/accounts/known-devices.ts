import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AppContext } from '#api/services/app-context.ts';

// A browser that has signed in to an account before carries a ticket for it, which outlives the session. The ticket lets
// nobody in. It gives the browser tries of its own, so that strangers cannot lock its owner out.

type Secrets = Pick<AppContext['config'], 'sessionSecret'>;

/** Accounts of one browser. Those used longest ago are dropped, because a cookie must stay short. */
const TICKETS_MAX = 5;
const DEVICE_ID_BYTES = 12;
const TICKET = /^(\d{1,10})\.([\w-]{16})\.([\w-]{43})$/;

interface Ticket {
  accountId: number;
  deviceId: string;
}

/** The id of the device if `tickets`, the value of its cookie, proves that it has signed in to the account before. */
export function findKnownDevice(secrets: Secrets, tickets: string | null, accountId: number): string | null {
  return readTickets(secrets, tickets).find((ticket) => ticket.accountId === accountId)?.deviceId ?? null;
}

/** The tickets of a browser that has just signed in. A device that is known already keeps its id. */
export function addTicket(secrets: Secrets, tickets: string | null, accountId: number): string {
  const known = readTickets(secrets, tickets);
  const own = known.find((ticket) => ticket.accountId === accountId);
  const deviceId = own?.deviceId ?? randomBytes(DEVICE_ID_BYTES).toString('base64url');
  return [{ accountId, deviceId }, ...known.filter((ticket) => ticket !== own)]
    .slice(0, TICKETS_MAX)
    .map((ticket) => `${ticket.accountId}.${ticket.deviceId}.${sign(secrets, ticket).toString('base64url')}`)
    .join('~');
}

function readTickets(secrets: Secrets, tickets: string | null): Ticket[] {
  return (tickets ?? '')
    .split('~')
    .slice(0, TICKETS_MAX)
    .flatMap((text) => {
      const [, accountId, deviceId = '', signature = ''] = TICKET.exec(text) ?? [];
      const ticket = { accountId: Number(accountId), deviceId };
      const isOurs = timingSafeEqual(hashOf(signature), hashOf(sign(secrets, ticket).toString('base64url')));
      return isOurs ? [ticket] : [];
    });
}

function sign({ sessionSecret }: Secrets, { accountId, deviceId }: Ticket): Buffer {
  return createHmac('sha256', sessionSecret).update(`known-device:${accountId}:${deviceId}`).digest();
}

/** Makes the lengths equal. */
function hashOf(text: string): Buffer {
  return createHmac('sha256', 'compare').update(text).digest();
}
