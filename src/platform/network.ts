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
