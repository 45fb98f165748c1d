import { BlockList, isIPv6 } from 'node:net';

/** Addresses and ranges such as `10.0.0.0/8`. An IPv4 address is also found in its IPv6 form. */
export function createAddressList(ranges: readonly string[]): { includes(address: string): boolean } {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return { includes: (address) => list.check(address, familyOf(address)) };
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
