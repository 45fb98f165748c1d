import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Has every outgoing call of this process trust these certificate authorities (PEM) beside those that it trusts already,
 * whatever client makes it: `fetch`, `https`, SMTP, PostgreSQL. The same again changes nothing. Clients that bring
 * authorities of their own are left alone.
 */
export function trustAuthorities(certificates: readonly string[]): void {
  if (certificates.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
}
