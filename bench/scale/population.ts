import { createHmac } from 'node:crypto'
import { model, type Size, sharedOut, sitesOf, sizesOf } from './model.ts'

/** A company of the load; installers come first, the largest first. */
export interface Inhabitant {
  /** 1 is the mean of all companies. */
  size: number
  /** The place of its installer, which may be itself. */
  installer: number
  leads: number
  projects: number
  sites: number
  /** Whether its installer has an endpoint. */
  told: boolean
}

/** A dealer does a tenth of what its installer does. */
const dealerPart = 0.1

/** Who is there, from the numbers of the model alone: the same at every run. */
export function populationOf(size: Size): Inhabitant[] {
  const dealers = Math.floor(size.companies * model.dealerShare)
  const installers = size.companies - dealers
  const own = sizesOf(installers)
  const installerOf = (place: number) =>
    place < installers ? place : Math.floor((place - installers) / model.dealersEach) % installers
  const raw = Array.from({ length: size.companies }, (_, place) =>
    place < installers ? own[place]! : own[installerOf(place)]! * dealerPart,
  )
  const mean = raw.reduce((sum, one) => sum + one, 0) / raw.length
  const sizes = raw.map((one) => one / mean)
  const leads = sharedOut(size.companies * model.history.leads, sizes)
  // A project to move at every installer, however small.
  const projects = sharedOut(size.companies * model.history.projects, sizes).map((share, place) =>
    place < installers ? Math.max(1, share) : share,
  )
  const sites = sharedOut(sitesOf(size), own)
  return sizes.map((one, place) => ({
    size: one,
    installer: installerOf(place),
    leads: leads[place]!,
    projects: projects[place]!,
    sites: sites[place] ?? 0,
    told: isTold(installerOf(place)),
  }))
}

/** Every so-manieth installer, the largest among them. */
function isTold(installer: number): boolean {
  const share = model.endpointShare
  return Math.floor((installer + 1) * share) > Math.floor(installer * share) || installer === 0
}

/** The secret of a company's key. Only its hash is in the database, so it is made again from the database's own salt. */
export function keySecret(salt: string, place: number): string {
  return `psk_${createHmac('sha256', salt).update(`key ${place}`).digest('hex').slice(0, 40)}`
}
