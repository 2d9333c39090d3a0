import { expectEqual } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import {
  array,
  at,
  boolean,
  day,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  record,
  type Shape,
  text,
  timestamp,
} from '../shape.ts'
import { contact, place, reference, staff } from './lead-fields.ts'
import { projectOfLine, type Row, rows, someProjects } from './records.ts'

const rowFields: Record<string, Shape> = {
  id: text,
  reference,
  leadId: text,
  productLine: oneOf('solar', 'hi'),
  stage: record({ name: nullable(text), enteredAt: nullable(timestamp) }),
  soldAt: nullable(timestamp),
  updatedAt: nullable(timestamp),
  ntpGranted: boolean,
  customer: contact,
  address: place,
}

const projectFields: Record<string, Shape> = {
  ...rowFields,
  coBorrower: nullable(contact),
  notes: record({ customer: nullable(text), project: nullable(text) }),
  company: nullable(record({ name: text })),
  salesRep: nullable(staff),
  setter: nullable(staff),
  projectManager: nullable(staff),
  siteSurveyor: nullable(staff),
  subcontractor: nullable(staff),
  contract: record({ signedAt: nullable(timestamp), price: nullable(number), files: list(text) }),
  'financing.type': oneOf('cash', 'loan', 'lease', 'ppa'),
  'financing.lender': nullable(text),
  'financing.amount': nullable(number),
  'financing.aprPercent': nullable(number),
  'financing.termMonths': nullable(number),
  'financing.monthlyPayment': nullable(number),
  'financing.dealerFeePercent': nullable(number),
  products: nullable(list(record({ name: text, price: nullable(number) }))),
  milestones: map(day),
  files: map(list(text)),
  links: record({ project: text, proposal: nullable(text) }),
}

const device = { count: nullable(number), manufacturer: nullable(text), model: nullable(text) }
const systemFields: Record<string, Shape> = {
  'system.sizeKw': nullable(number),
  'system.annualProductionKwh': nullable(number),
  'system.panels': record(device),
  'system.inverters': record({ ...device, name: nullable(text), microinverter: boolean }),
  'system.batteries': nullable(record({ ...device, capacityKwh: nullable(number) })),
  'system.pricePerWatt': record({ base: nullable(number), final: nullable(number) }),
  'system.adders': list(record({ name: text, quantity: number, total: nullable(number) })),
}

export const folders = [
  'contract',
  'utilityBill',
  'identification',
  'material',
  'siteSurvey',
  'planset',
  'permit',
  'interconnection',
  'other',
  'homeInsurance',
  'installationPhoto',
  'internal',
]

const milestones = [
  'contractSigned',
  'siteSurveyScheduled',
  'siteSurveyCompleted',
  'plansetCompleted',
  'permitSubmitted',
  'permitReceived',
  'interconnectionSubmitted',
  'interconnectionApproved',
  'installScheduled',
  'installCompleted',
  'inspectionPassed',
  'ptoGranted',
]

async function ofLine(kit: Kit, line: 'solar' | 'hi'): Promise<Row> {
  const found = await need('a project', projectOfLine(kit, line))
  return found ?? notApplicable(`the server has no ${line} project`)
}

export const projectFieldRules: Rule[] = [
  ...fieldRules('v1.projects.list.fields', 'A project in the list', rowFields, (kit) =>
    rows(kit, '/projects?limit=100'),
  ),
  ...fieldRules('v1.projects.read.fields', 'A project that is read', projectFields, someProjects),
  ...fieldRules('v1.projects.read.fields', 'A solar project', systemFields, async (kit) => {
    const found = await projectOfLine(kit, 'solar')
    return found ? [found] : []
  }),
  ...(['solar', 'hi'] as const).map((line): Rule => {
    const [has, lacks] = line === 'solar' ? ['system', 'products'] : ['products', 'system']
    return {
      id: `v1.projects.read.line.${line}`,
      says: `A project of ${line} has \`${has}\`, and its \`${lacks}\` is null.`,
      async check(kit) {
        const project = await ofLine(kit, line)
        const wrong = (line === 'solar' ? object : array)(project[has!], has!)
        if (wrong) fail(wrong)
        expectEqual(project[lacks!], null, lacks!)
      },
    }
  }),
  {
    id: 'v1.projects.read.same-as-row',
    says: 'A project that is read shows what its row in the list shows.',
    async check(kit) {
      const project = await ofLine(kit, 'solar')
      const found = await need('a list', rows(kit, '/projects?limit=1&productLine=solar'))
      const row =
        found.find((one) => one['id'] === project['id']) ?? notApplicable('it is not in the list any more')
      for (const name of Object.keys(rowFields)) expectEqual(project[name], row[name], name)
    },
  },
  {
    id: 'v1.projects.read.decided.milestones',
    says: 'The keys of `milestones` are of the twelve that were decided.',
    decision: true,
    async check(kit) {
      for (const project of await need('a project', someProjects(kit)))
        for (const key of Object.keys((at(project, 'milestones') as object) ?? {}))
          if (!milestones.includes(key)) fail(`${key} is none of them`)
    },
  },
  {
    id: 'v1.projects.read.decided.files',
    says: 'The keys of `files` are the twelve folders, always all there.',
    decision: true,
    async check(kit) {
      for (const project of await need('a project', someProjects(kit)))
        expectEqual(
          Object.keys((at(project, 'files') as object) ?? {}).sort(),
          [...folders].sort(),
          'the keys of files',
        )
    },
  },
]
