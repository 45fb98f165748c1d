import { BlockList, isIPv4, isIPv6 } from 'node:net';

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i;

/** A list of addresses and CIDR ranges, IPv4 also as it is written in IPv6. An empty list includes everybody. */
export function createAddressList(entries: string[]): { includes(ip: string): boolean } {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return {
    includes(ip) {
      if (entries.length === 0) return true;
      const plain = ip.replace(IPV4_IN_IPV6, '');
      return isIPv4(plain) ? list.check(plain, 'ipv4') : isIPv6(plain) && list.check(plain, 'ipv6');
    },
  };
}
