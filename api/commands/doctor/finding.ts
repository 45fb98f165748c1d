import { withTimeout } from '#api/platform/with-timeout.ts';

export interface Finding {
  /** What was looked at, in a word or two. */
  part: string;
  /** `warning`: it works, but should be looked at. */
  state: 'ok' | 'warning' | 'failed';
  /** What was found and, unless it is ok, what to do. Contains no secrets. */
  text: string;
}

/** What a check found about its part. */
export type Verdict = Omit<Finding, 'part'>;
export type Check = () => Promise<Verdict | Verdict[]>;

export const ok = (text: string): Verdict => ({ state: 'ok', text });
export const warning = (text: string): Verdict => ({ state: 'warning', text });
export const failed = (text: string): Verdict => ({ state: 'failed', text });

/** A part that does not answer holds up nothing else for longer. */
const CHECK_TIMEOUT_MS = 15_000;

/** What to do when a check has thrown this. */
export type Advice = string | ((error: unknown) => string);

/**
 * Runs all checks at once, each for a limited time, and returns the findings in the order of the checks. A check that
 * throws has failed; `advice` says what to do then, with the setting to change.
 */
export async function runChecks(
  checks: readonly (readonly [part: string, advice: Advice, check: Check, timeoutMs?: number])[],
): Promise<Finding[]> {
  const findings = await Promise.all(
    checks.map(async ([part, advice, check, timeoutMs = CHECK_TIMEOUT_MS]): Promise<Finding[]> => {
      try {
        return [await withTimeout(check(), timeoutMs)].flat().map((verdict) => ({ part, ...verdict }));
      } catch (error) {
        return [
          {
            part,
            ...failed(`${describeError(error)}. ${isUntrusted(error) ? ADVICE_AUTHORITY : advise(advice, error)}`),
          },
        ];
      }
    }),
  );
  return findings.flat();
}

function advise(advice: Advice, error: unknown): string {
  return typeof advice === 'string' ? advice : advice(error);
}

const ADVICE_AUTHORITY = 'Name the file with the certificate of its authority, or with its own, in EXTRA_CA_FILE';
/** What Node says of a certificate whose authority it does not know. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER_CERT)|self[- ]signed certificate/i;

function isUntrusted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: unknown };
  return UNTRUSTED.test(`${String(code)} ${error.message}`) || isUntrusted(error.cause);
}

/** The message with that of its cause, on one line. Errors of the network often say only there what happened. */
function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${describeError(error.cause)})`;
  return `${error.message}${cause}`.replaceAll(/\s+/g, ' ').trim().replace(/[.!]$/, '');
}
