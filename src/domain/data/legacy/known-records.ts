import type { Db } from '../../../platform/db.ts'
import { isReference } from '../../../platform/ids.ts'
import type { Deal } from '../../deals/changes/deal.ts'
import { loadRenderedDeals } from '../../deals/renderings/queries.ts'
import { confinedTo } from '../../kernel/context.ts'
import { findDealsByExternalId } from '../imports/lead-queries.ts'
import { customerKey, customerOf, linkKey } from './customer-of-reading.ts'
import type { Known, MetRecord, Planning } from './planning.ts'
import {
  findByCustomer,
  findByLink,
  findCameElsewhere,
  findLeadsReferenced,
  findProjectsReferenced,
  findRecords,
  type Met,
} from './queries.ts'
import { createReader } from './reader.ts'
import type { LegacySource } from './source.ts'

export interface KnownRecords {
  /** What is here of a record, as the records before it in the batch left it. */
  of(met: MetRecord): Promise<Known>
  /** A lead was written: it is read again where it is met again. */
  written(leadId: string): void
}

/** Looks up at once what is here of the records of a batch, all of one list. */
export async function findKnown(
  db: Db,
  source: LegacySource,
  planning: Planning,
  batch: readonly MetRecord[],
): Promise<KnownRecords> {
  const { installerId, companyId, id: sourceId } = source
  const { list } = batch[0]!
  const ids = batch.map(({ legacyId }) => legacyId)
  const references = ids.filter(isReference)
  const keys = new Map(batch.map((met) => [met.legacyId, keysOf(planning, companyId, met)]))
  const all = [...keys.values()]
  const records = new Map(
    (await findRecords(db, { installerId, sourceId, ...list, legacyIds: ids })).map((one) => [
      one.legacyId,
      one,
    ]),
  )
  const links = await findByLink(db, {
    installerId,
    sourceId,
    keys: all.flatMap(({ link }) => link ?? []),
  })
  const customers =
    list.kind === 'project'
      ? await findByCustomer(db, {
          installerId,
          sourceId,
          productLine: list.productLine,
          keys: all.flatMap(({ customer }) => customer ?? []),
        })
      : []
  const findReferenced = list.kind === 'lead' ? findLeadsReferenced : findProjectsReferenced
  const referenced = new Map(
    (await findReferenced(db, { installerId, ids: references })).map(({ key, leadId }) => [key, leadId]),
  )
  const elsewhere = await findCameElsewhere(db, { ...source, sourceId, ...list, legacyIds: ids })
  const external =
    list.kind === 'lead'
      ? await findDealsByExternalId(db, {
          installerId,
          companyId,
          externalIds: ids.filter((id) => !isReference(id)),
        })
      : new Map<string, Deal>()

  const leadIds = [...records.values(), ...links, ...customers, ...elsewhere].flatMap(
    ({ leadId }) => leadId ?? [],
  )
  const deals = new Map<string, Deal | null>()
  const load = async (wanted: readonly string[]) => {
    for (const { stored: _, ...deal } of await loadRenderedDeals(db, installerId, [...new Set(wanted)]))
      deals.set(deal.lead.id, deal)
  }
  await load([...leadIds, ...referenced.values(), ...[...external.values()].map(({ lead }) => lead.id)])
  const dealOf = async (leadId: string | null | undefined) => {
    if (!leadId) return null
    if (!deals.has(leadId)) await load([leadId])
    return deals.get(leadId) ?? null
  }

  const isOfLine = ({ lead }: Deal) => lead.productLine === list.productLine
  const confined = confinedTo(planning.ctx.actor)
  /** A dealer sees its own records only, an installer those of its dealers too: as by every interface. */
  const isSeen = ({ lead }: Deal) => confined === null || lead.companyId === confined

  /** The lead that a project was, or the project's that a lead became; null where that is not certain. */
  async function partner(found: readonly Met[], key: string | null): Promise<Deal | null> {
    if (key === null) return null
    const matching = found.filter((one) => one.key === key && one.kind !== list.kind)
    const candidates = await Promise.all([...new Set(matching.map(({ leadId }) => leadId))].map(dealOf))
    const free = candidates.filter(
      (deal) => deal && isOfLine(deal) && (list.kind === 'lead' || deal.project === null),
    )
    return free.length === 1 ? free[0]! : null
  }

  /** Ids of one server may be of several accounts that count each by themselves, so the customer must be the same too. */
  async function cameElsewhere(legacyId: string, customer: string | null): Promise<Deal | null> {
    for (const one of elsewhere.filter((came) => came.legacyId === legacyId)) {
      const deal = await dealOf(one.leadId)
      if (deal?.lead.erasedAt || (customer !== null && one.customerKey === customer)) return deal
    }
    return null
  }

  async function find(legacyId: string): Promise<Omit<Known, 'ownedBy'>> {
    const record = records.get(legacyId) ?? null
    const taken = await dealOf(record?.leadId)
    if (record && taken) return { record, deal: taken, taken: true, referenceFree: false }
    const { link, customer } = keys.get(legacyId)!
    const same =
      (await dealOf(referenced.get(legacyId) ?? external.get(legacyId)?.lead.id)) ??
      (await cameElsewhere(legacyId, customer))
    if (same && (isOfLine(same) || !isSeen(same)))
      return { record, deal: same, taken: false, referenceFree: false }
    const deal = (await partner(links, link)) ?? (await partner(customers, customer))
    return { record, deal, taken: false, referenceFree: same === null }
  }

  return {
    async of({ legacyId }) {
      const found = await find(legacyId)
      if (!found.deal || isSeen(found.deal)) return { ...found, ownedBy: null }
      const owner = planning.directory.companies.get(found.deal.lead.companyId)
      return { ...found, deal: null, taken: false, ownedBy: owner?.name ?? 'another company' }
    },
    written(leadId) {
      deals.delete(leadId)
    },
  }
}

function keysOf({ directory }: Planning, companyId: string, { reading }: MetRecord) {
  const reader = createReader(reading)
  return { link: linkKey(reader), customer: customerKey(customerOf(reader, directory, companyId)) }
}
