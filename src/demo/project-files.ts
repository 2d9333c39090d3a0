import type { NewLead } from '../domain/deals/leads/prepare-lead.ts'
import type { Folder } from '../domain/kernel/folder.ts'
import { csv, pdf, plainText } from './documents.ts'
import { roofPicture } from './pictures.ts'
import type { DemoSale } from './sale.ts'
import type { DemoFile } from './step.ts'

/** The files of one project, named by what they are and filled from what was sold. */
export function projectFiles(deal: string, nth: number, lead: NewLead, sale: DemoSale) {
  const customer = `${lead.firstName} ${lead.lastName}`
  const { line1, city, state, postalCode } = lead.address
  const where = [customer, `${line1}, ${city}, ${state} ${postalCode}`]
  const what = sale.system
    ? [
        `System: ${sale.system.sizeKw} kW`,
        `${sale.system.panels.count} x ${sale.system.panels.manufacturer} ${sale.system.panels.model}`,
      ]
    : (sale.products ?? []).map((product) => product.name)
  const file = (folder: Folder, name: string, contents: () => Buffer): DemoFile => ({
    url: `https://files.example.com/demo/${deal}/${folder}/${encodeURIComponent(name)}`,
    name,
    contents,
  })
  const document = (folder: Folder, name: string, title: string, lines: string[]) =>
    file(folder, `${name}.pdf`, () => pdf(title, [...where, '', ...lines]))
  const picture = (folder: Folder, name: string, offset: number) =>
    file(folder, `${name}.png`, () => roofPicture(nth + offset))

  return {
    contract: [
      document('contract', 'Contract', 'Installation contract', [...what, `Price: $${sale.contractPrice}`]),
    ],
    utilityBill: [
      document('utilityBill', 'Utility bill', 'Utility bill', [
        `${lead.utility?.name ?? 'Utility'}: $${lead.utility?.monthlyBill ?? '0.00'} a month`,
      ]),
    ],
    identification: [picture('identification', 'Identification', 1)],
    siteSurvey: [picture('siteSurvey', 'Roof south', 3), picture('siteSurvey', 'Roof west', 5)],
    planset: [document('planset', 'Plan set', 'Plan set', what)],
    permit: [document('permit', 'Permit', `Building permit, city of ${city}`, what)],
    interconnection: [
      document('interconnection', 'Interconnection agreement', 'Interconnection agreement', [
        `With ${lead.utility?.name ?? 'the utility'}`,
        ...what,
      ]),
    ],
    material: [
      file('material', 'Material list.csv', () =>
        csv([
          ['item', 'quantity'],
          ...(sale.system
            ? [
                [
                  `${sale.system.panels.manufacturer} ${sale.system.panels.model}`,
                  sale.system.panels.count ?? 0,
                ],
                [sale.system.inverters.name ?? 'Inverter', sale.system.inverters.count ?? 0],
                ...sale.system.adders.map((adder) => [adder.name, adder.quantity]),
              ]
            : what.map((name) => [name, 1])),
        ]),
      ),
    ],
    homeInsurance: [
      document('homeInsurance', 'Home insurance', 'Proof of home insurance', ['Valid for this year']),
    ],
    installationPhoto: [
      picture('installationPhoto', 'Finished work', 0),
      picture('installationPhoto', 'From the street', 2),
    ],
    other: [file('other', 'HOA approval.txt', () => plainText([`${customer}: approved as drawn.`]))],
    internal: [
      file('internal', 'Margin review.txt', () =>
        plainText([`Reviewed at $${sale.contractPrice}.`, 'Not for the customer.']),
      ),
    ],
  } satisfies Record<Folder, DemoFile[]>
}
