import type { Mix } from './mix.ts'

export interface Step {
  speed: number
  holds: boolean
  reasons: string[]
  /** What was nearest to its limit. */
  first: string
}

export interface Search {
  steps: Step[]
  /** The highest multiple of the realistic rate that held; 0 where none did. */
  highest: number
  /** What was at its limit at the lowest that did not. */
  first: string | null
  /** Whether it was the load generator: then the server holds more than is told. */
  generatorBound: boolean
}

const maxSpeed = 1_024
const refinements = 2

/** Doubles the rate until it does not hold, then looks between. */
export async function findHighest(
  drive: (speed: number) => Promise<Mix>,
  atOne: Mix,
  note: (message: string) => void,
): Promise<Search> {
  const steps = [stepOf(atOne)]
  const tryAt = async (speed: number) => {
    note(`at ${speed} times the realistic rate`)
    const step = stepOf(await drive(speed))
    note(step.holds ? `  holds; nearest to its limit: ${step.first}` : `  does not hold: ${step.reasons[0]}`)
    steps.push(step)
    return step.holds
  }
  let low = atOne.holds ? 1 : 0
  let high = atOne.holds ? 2 : 1
  while (low > 0 && high <= maxSpeed && (await tryAt(high))) [low, high] = [high, high * 2]
  for (let i = 0; i < refinements && high <= maxSpeed; i++) {
    const middle = (low + high) / 2
    if (await tryAt(middle)) low = middle
    else high = middle
  }
  const failed = steps.filter((step) => !step.holds).sort((a, b) => a.speed - b.speed)[0]
  return {
    steps,
    highest: low,
    first: failed?.first ?? null,
    generatorBound: failed?.first.includes('generator') ?? false,
  }
}

const stepOf = ({ speed, holds, reasons, resources }: Mix): Step => ({
  speed,
  holds,
  reasons,
  first: resources[0]!.name,
})
