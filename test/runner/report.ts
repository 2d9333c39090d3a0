import { spec, type TestEvent } from 'node:test/reporters'

type Outcome = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/** Prints what workers tell, a file at a time, and counts it as node's own runner does. */
export function createReport(output: NodeJS.WritableStream) {
  const printer = new spec()
  printer.pipe(output)
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }
  const say = (message: string) =>
    printer.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } })
  const print = (events: readonly TestEvent[]): void => {
    for (const event of events) {
      printer.write(event)
      if (isOutcome(event)) count(counts, event)
    }
  }
  return {
    counts,
    say,
    print,
    /** For a file that ended before its tests could tell. */
    printBroken(file: string, events: readonly TestEvent[], message: string): void {
      const failed = (name: string, nesting: number, error: object): TestEvent => {
        const details = { duration_ms: 0, type: 'suite', error } as unknown as Outcome['data']['details']
        return { type: 'test:fail', data: { name, nesting, details } } as TestEvent
      }
      print(events)
      for (const { data } of openSuites(events).filter((suite) => suite.data.nesting > 0))
        print([failed(data.name, data.nesting, { failureType: 'subtestsFailed' })])
      print([failed(file, 0, Object.assign(new Error(message), { stack: message }))])
    },
    end(): Promise<void> {
      for (const [what, number] of Object.entries(counts)) say(`${what} ${number}`)
      return new Promise((resolve) => printer.on('end', resolve).end())
    },
  }
}

export function isOutcome(event: TestEvent): event is Outcome {
  return event.type === 'test:pass' || event.type === 'test:fail'
}

/** Those that were begun and not ended, the innermost first. */
function openSuites(events: readonly TestEvent[]) {
  const open: Extract<TestEvent, { type: 'test:start' }>[] = []
  for (const event of events) {
    if (event.type === 'test:start') open.unshift(event)
    else if (isOutcome(event)) open.shift()
  }
  return open
}

const cancelling = ['cancelledByParent', 'testAborted', 'testTimeoutFailure']

function count(counts: ReturnType<typeof createReport>['counts'], { type, data }: Outcome): void {
  const isFailure = type === 'test:fail' && data.todo === undefined
  const { failureType = '' } = (data.details as { error?: { failureType?: string } }).error ?? {}
  // A suite fails with its tests, which are counted; by itself where it cannot be loaded, begun or ended.
  if (data.details.type === 'suite' && (!isFailure || failureType === 'subtestsFailed')) {
    // That of a file is the runner's.
    if (data.nesting > 0) counts.suites++
    return
  }
  counts.tests++
  if (data.skip !== undefined) counts.skipped++
  else if (data.todo !== undefined) counts.todo++
  else if (isFailure && cancelling.includes(failureType)) counts.cancelled++
  else if (isFailure) counts.fail++
  else counts.pass++
}
