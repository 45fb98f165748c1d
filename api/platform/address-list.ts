import { BlockList, isIP, isIPv6 } from 'node:net';

export interface AddressList {
  /** An IPv4 address is also found in its IPv6 form. What is no address is not found. */
  includes(address: string): boolean;
}

/** IP addresses and ranges such as `10.0.0.0/8`. */
export function createAddressList(ranges: readonly string[]): AddressList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return { includes: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) };
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
