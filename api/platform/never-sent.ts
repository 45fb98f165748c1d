/** Errors of the time before the first byte is sent: of names, of connections, of certificates. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/;

/** Whether a call by HTTP that failed with this error can have had no effect. */
export function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(wasNeverSent);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return BEFORE_SENDING.test(code) || syscall === 'connect' || wasNeverSent(error.cause);
}
