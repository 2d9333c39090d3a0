import { Big } from 'big.js'
import { parseAddress } from '../../domain/deals/leads/one-line-address.ts'
import { type Financing, type FinancingType, financingTypes } from '../../domain/deals/projects/project.ts'
import type { NewProject } from '../../domain/deals/sale/create-project.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Decimal } from '../../domain/kernel/money.ts'
import type { NewProjectBody } from './request-schemas.ts'

/** The body of create_project in the words of the domain. */
export function newProjectOf(body: NewProjectBody): NewProject {
  return {
    orgId: String(body.org_id),
    customer: {
      firstName: body.first_name,
      lastName: body.last_name,
      email: body.email,
      phone: body.phone_number,
      address: parseAddress(body.address),
    },
    salesRep: body.sales_rep,
    setter: body.setter,
    contractPrice: new Big(body.system_cost).toFixed(2),
    financing: financingOf(body),
    system: {
      sizeKw: decimal(body.system_size),
      annualProductionKwh: decimal(body.annual_production),
      annualConsumptionKwh: decimal(body.consumption),
      pricePerWatt: {
        base: decimal(body.base_ppw),
        final: decimal(body.final_ppw),
        adders: decimal(body.adder_ppw),
      },
      panels: { id: body.panel_profile_id || null, count: count(body.panel_count) },
      inverters: { id: body.inverter_profile_id || null, count: count(body.inverter_count) },
      batteries: null,
      adders: (body.adders ?? []).map(adderOf),
      stage: body.project_stage || null,
      fields: {
        panel: 'panel_profile_id',
        inverter: 'inverter_profile_id',
        battery: 'battery_profile_id',
        adders: 'adders',
        stage: 'project_stage',
      },
    },
    surveyPhotos: (body.site_survey_photos ?? []).map((url) => ({ url })),
    photosField: 'site_survey_photos',
  }
}

/** Plain decimal text, never in powers of ten, of as many places as anything is measured in. */
function decimal(number: string | number): Decimal {
  return new Big(number).round(10).toFixed()
}

function decimalOrNull(text: string | number | undefined): Decimal | null {
  return text === undefined || text === '' ? null : decimal(text)
}

function count(text: string | number | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text)
}

function financingOf(body: NewProjectBody): Financing {
  const years = decimalOrNull(body.term_years)
  const termMonths = years === null ? null : new Big(years).times(12).toNumber()
  if (termMonths !== null && !Number.isInteger(termMonths)) {
    throw new DomainError('invalid', 'term_years must come to whole months.')
  }
  const rate = decimalOrNull(body.lease_ppa_rate)
  const aprPercent = decimalOrNull(body.apr)
  const named = financingTypes.find((type) => type === body.financing_type?.toLowerCase())
  return {
    type: named ?? guessed(rate, aprPercent, termMonths),
    lender: null,
    amount: null,
    aprPercent,
    termMonths,
    monthlyPayment: decimalOrNull(body.pre_itc_payment),
    dealerFeePercent: null,
    rate,
    escalatorPercent: decimalOrNull(body.escalator_rate),
  }
}

/** The way of paying that the other fields speak of, where none is named. */
function guessed(rate: Decimal | null, aprPercent: Decimal | null, months: number | null): FinancingType {
  if (rate !== null) return 'ppa'
  return aprPercent === null && months === null ? 'cash' : 'loan'
}

function adderOf(adder: NonNullable<NewProjectBody['adders']>[number], i: number) {
  if (typeof adder === 'string') return { idOrName: adder, quantity: null }
  const idOrName = adder.id ?? adder.name
  if (idOrName === undefined)
    throw new DomainError('invalid', `adders[${i}].id is required where there is no name.`)
  return { idOrName, quantity: adder.quantity ?? null }
}
