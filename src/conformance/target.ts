/** The server, the keys to it, and what only its operator can tell the kit. */
export interface Target {
  baseUrl: string
  legacyBaseUrl: string
  catalogBaseUrl: string
  installerKey: string
  dealerKey: string | null
  legacyKey: string
  legacyDealerKey: string | null
  catalogKey: string
  catalogDealerKey: string | null
  /** Of the installer's company; without it no project can be created. */
  orgId: string | null
  installerId: string | null
  /** A home-improvement project that may be changed: no interface creates one. */
  hiProject: string | null
  /** A public https address of a small document that the server may copy. */
  fileUrl: string | null
  /** An active member of the installer's company. */
  memberEmail: string | null
  /** Where the server reaches the kit, and where the kit listens for that. */
  receiver: { url: string; host: string; port: number } | null
}

export interface Given {
  baseUrl: string
  legacyBaseUrl?: string
  catalogBaseUrl?: string
  installerKey: string
  dealerKey?: string
  legacyKey?: string
  catalogKey?: string
  orgId?: string
  installerId?: string
  hiProject?: string
  fileUrl?: string
  memberEmail?: string
  receiverUrl?: string
  /** `host:port` */
  receiverListen?: string
}

export function targetOf(given: Given): Target {
  const baseUrl = withoutSlash(given.baseUrl)
  const dealerKey = given.dealerKey ?? null
  return {
    baseUrl,
    legacyBaseUrl: withoutSlash(given.legacyBaseUrl ?? `${baseUrl}/legacy`),
    catalogBaseUrl: withoutSlash(given.catalogBaseUrl ?? `${baseUrl}/catalog`),
    installerKey: given.installerKey,
    dealerKey,
    legacyKey: given.legacyKey ?? given.installerKey,
    // Where an interface has keys of its own, the dealer's is not one of them.
    legacyDealerKey: given.legacyKey ? null : dealerKey,
    catalogKey: given.catalogKey ?? given.installerKey,
    catalogDealerKey: given.catalogKey ? null : dealerKey,
    orgId: given.orgId ?? null,
    // An installer's number names it too.
    installerId: given.installerId ?? given.orgId ?? null,
    hiProject: given.hiProject ?? null,
    fileUrl: given.fileUrl ?? null,
    memberEmail: given.memberEmail ?? null,
    receiver:
      given.receiverUrl === undefined
        ? null
        : { url: withoutSlash(given.receiverUrl), ...listening(given.receiverListen ?? usualListen) },
  }
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

const usualListen = '127.0.0.1:8081'

function listening(text: string): { host: string; port: number } {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535)
    throw new Error(`--receiver-listen is ${text}; write host:port, such as ${usualListen}.`)
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}
