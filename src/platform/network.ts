import ipaddr from 'ipaddr.js'

const householdBits = 64

/** Whom an address stands for when calls are counted: in IPv6 each customer has a whole network of them. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  if (ip.kind() === 'ipv4') return ip.toString()
  const bytes = ip.toByteArray().slice(0, householdBits / 8)
  return `${ipaddr.fromByteArray([...bytes, ...Array(16 - bytes.length).fill(0)])}/${householdBits}`
}

/** Whether an address is one of these addresses, or in one of these networks. */
export function isIn(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  return networks.some((network) => {
    const [from, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.process(network), null]
    return ip.kind() === from.kind() && ip.match(from, bits ?? from.toByteArray().length * 8)
  })
}
