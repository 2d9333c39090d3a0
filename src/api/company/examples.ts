const customer = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com', phone: '+1 619 555 0100' }
const address = {
  line1: '1 Market St',
  line2: null,
  city: 'San Diego',
  state: 'CA',
  postalCode: '92101',
  country: 'US',
}
const salesRep = { name: 'Sam Ortiz', email: 'sam@example.com', phone: '+1 619 555 0110' }
const leadId = 'lead_01m7egddcx026jrjpbagkdnn'
const projectId = 'proj_01m7egdddq02gqtqamk86zhk'
const base = 'http://127.0.0.1:8080'
const file = `${base}/files/1001/s2p3vrG59ntGn-0o-MScXoitKDY/Contract.pdf`

export const projectRowExample = {
  id: projectId,
  reference: 'Xb93kQ7LmZ',
  leadId,
  productLine: 'solar',
  stage: { id: 'stg_01m7egde1e01h969t2e9nkny', name: 'Permitting', enteredAt: '2026-11-02T17:20:11.000Z' },
  soldAt: '2026-10-14T21:05:40.118Z',
  updatedAt: '2026-11-02T17:20:11.004Z',
  ntpGranted: false,
  customer,
  address,
}

export const projectExample = {
  ...projectRowExample,
  coBorrower: null,
  notes: { customer: 'Call after five', project: null },
  company: { name: 'Bright Roof Solar' },
  salesRep,
  setter: null,
  projectManager: null,
  siteSurveyor: null,
  subcontractor: null,
  contract: { signedAt: '2026-10-14T21:05:00.000Z', price: 23940, files: [file] },
  financing: {
    type: 'loan',
    lender: 'Harbor Credit',
    amount: 23940,
    aprPercent: 6.99,
    termMonths: 240,
    monthlyPayment: 185.46,
    dealerFeePercent: null,
  },
  system: {
    sizeKw: 8.4,
    annualProductionKwh: 13100,
    panels: { count: 20, manufacturer: 'Helio', model: 'H420' },
    inverters: { count: 20, manufacturer: 'Helio', model: 'M1', name: 'Helio M1', microinverter: true },
    batteries: null,
    pricePerWatt: { base: 2.6, final: 2.85 },
    adders: [{ name: 'Main panel upgrade', quantity: 1, total: 2100 }],
  },
  products: null,
  milestones: { contractSigned: '2026-10-14', installScheduled: '2026-12-01' },
  files: {
    contract: [file],
    utilityBill: [],
    identification: [],
    material: [],
    siteSurvey: [],
    planset: [],
    permit: [],
    interconnection: [],
    other: [],
    homeInsurance: [],
    installationPhoto: [],
    internal: [],
  },
  links: { project: `${base}/projects/${projectId}`, proposal: null },
}

export const leadExample = {
  id: leadId,
  reference: null,
  productLine: 'solar',
  status: 'sold',
  archived: false,
  createdAt: '2026-10-02T16:11:09.402Z',
  updatedAt: '2026-10-14T21:05:40.117Z',
  customer,
  coBorrower: null,
  address,
  utility: { name: 'SDG&E', monthlyBill: 212.5 },
  source: { name: 'Referral', subSource: null },
  externalId: 'crm-1042',
  notes: 'Call after five',
  salesRep,
  setter: null,
  project: { id: projectId, reference: 'Xb93kQ7LmZ' },
  links: { record: `${base}/leads/${leadId}` },
}

export const activityExample = {
  id: 'act_01m7egde1e01h969t2e9nkny',
  type: 'stageChanged',
  body: 'Moved from Design to Permitting',
  internal: false,
  customerFacing: false,
  replyTo: null,
  author: 'Night agent',
  createdAt: '2026-11-02T17:20:11.004Z',
}

export const adderExample = {
  id: 'adder_01m7egde1e01h969t2e9nkny',
  name: 'Steep roof',
  description: null,
  productLine: 'solar',
  productKind: null,
  unit: 'perWatt',
  unitPrice: 0.15,
  tiered: false,
  repSponsored: false,
  showOnProposal: true,
  brand: null,
  model: null,
  warrantyYears: null,
}

export const equipmentExample = {
  id: 'equip_01m7egde1e01h969t2e9nkny',
  kind: 'panel',
  manufacturer: 'Helio',
  model: 'H420',
  default: true,
  watts: 420,
  efficiencyPercent: 21.4,
  warrantyYears: 25,
}
