import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Makes every outgoing call of this process trust these certificate authorities (PEM) in addition to the default ones,
 * whatever the client: `fetch`, `https`, SMTP, PostgreSQL. Calling it again changes nothing. Clients that bring their
 * own authorities are not affected.
 */
export function trustAuthorities(certificates: readonly string[]): void {
  if (certificates.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
}
