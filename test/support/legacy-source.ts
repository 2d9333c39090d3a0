import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './endings.ts'

export interface LegacySource {
  /** `http://127.0.0.1:{port}` */
  url: string
  host: string
  /** Operations that were asked for, with their queries. */
  asked: string[]
  /** The authorization headers that came. */
  keys: Set<string | undefined>
}

export type LegacyHandler = (
  operation: string,
  query: URLSearchParams,
  response: ServerResponse,
  request: IncomingMessage,
) => unknown

/** A server that answers what the test says: what is returned goes out as JSON, undefined has been answered. */
export async function startLegacySource(handler: LegacyHandler): Promise<LegacySource> {
  const asked: string[] = []
  const keys = new Set<string | undefined>()
  const server = createServer(async (request, response) => {
    const { pathname, search, searchParams } = new URL(request.url!, 'http://localhost')
    const operation = pathname.slice(pathname.lastIndexOf('/') + 1)
    asked.push(operation + search)
    keys.add(request.headers.authorization)
    const answer = await handler(operation, searchParams, response, request)
    if (answer === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked, keys }
}

const customer = {
  customerFirstName: 'Ada',
  customerLastName: 'Moreno',
  customerPhoneNumber: '(619) 555-0123',
  customerEmail: 'ada@example.com',
  customerAddress: '1 Market St, Unit 4, San Diego, CA 92101',
  customerStreet: '1 Market St',
  customerCity: 'San Diego',
  customerState: 'CA',
  customerZip: '92101',
  secondaryCustomerFirstName: '',
  secondaryCustomerLastName: '',
  secondaryCustomerPhoneNumber: '',
  secondaryCustomerEmail: '',
}
const people = {
  salesRepName: '',
  salesRepEmail: '',
  salesRepPhone: '',
  setterName: '',
  setterEmail: '',
  setterPhone: '',
}

export type Fields = Record<string, unknown>

export function legacyLead(id: string, more: Fields = {}): Fields {
  return { id, ...customer, ...people, customerEmail: `${id}@example.com`, ...more }
}

export function legacyProject(id: string, more: Fields = {}): Fields {
  return {
    id,
    ...customer,
    customerEmail: `${id}@example.com`,
    projectStatus: 'Permitting',
    contractSignedDate: '01/10/2026',
    submittedDate: '01/12/2026',
    projectSiteId: '',
    contractURL: '',
    proposalURL: '',
    projectURL: '',
    allFilesURL: {},
    systemSize: '8.4',
    estProduction: '12650.5',
    numberOfPanel: '21',
    panelModel: 'Q.TRON 400',
    numberOfInverter: '21',
    inverterName: 'IQ8 Plus',
    numberOfBattery: '',
    batteryName: '',
    contractPrice: '28,728.50',
    financeCompany: 'Sunlight',
    financeAmount: '20000',
    financeAPR: '5.99',
    financeTerm: '300',
    financeType: 'loan',
    basePPW: '2.95',
    finalPPW: '3.42',
    addersCost: '2500.00',
    adders: ['Main panel upgrade'],
    ...people,
    siteSurveyorName: '',
    subContractorName: '',
    ...more,
  }
}
