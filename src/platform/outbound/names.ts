import { promises as dns, type LookupAddress } from 'node:dns'

export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

const triesOfOneName = { timeout: 2_000, tries: 2 }

/**
 * Asks the name servers themselves. The system's own look-up takes one of the four threads that also write files and
 * check passwords, for as long as a name server that says nothing makes it wait; four such names would stop them all.
 */
export function publicNames(servers?: readonly string[]): Resolve {
  return async (name) => {
    // For each name again: it reads the system's settings as they are now.
    const resolver = new dns.Resolver(triesOfOneName)
    if (servers) resolver.setServers(servers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses: LookupAddress[] = [
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 })),
    ]
    if (addresses.length > 0) return addresses
    const reasons = [v4, v6].map((one) => (one as PromiseRejectedResult).reason)
    // That it has no address of one kind says nothing where the other could not be asked for.
    throw reasons.find(({ code }) => !['ENODATA', 'ENOTFOUND'].includes(code)) ?? reasons[0]
  }
}

/** As the machine itself knows them, its hosts file included: for the hosts that the operator named. */
export const namesOfThisNetwork: Resolve = (name) => dns.lookup(name, { all: true })
