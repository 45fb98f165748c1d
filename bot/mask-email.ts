/** «al…@mail.ru»: enough to recognise one's own. */
export function maskEmail(email: string | null): string {
  const [name = '', domain = ''] = (email ?? '').split('@');
  return `${name.slice(0, 2)}…@${domain}`;
}
