import { DatabaseUnavailable } from '../database-errors.ts'

/** Nobody waits longer for a node that hears nothing: each who does holds a connection of the coordinator until it is back. */
export interface NodeWatch {
  /** Asks something of a node; refused at once while it is away, and given up once it is found to be. */
  asking<T>(group: number, work: () => Promise<T>): Promise<T>
  close(): void
}

interface Asked {
  began: number
  giveUp(error: Error): void
}

interface Watched {
  isAway: boolean
  isBeingChecked: boolean
  /** In the order in which they were asked. */
  asked: Set<Asked>
}

const lookMs = 500
/** What takes longer may have been asked of one that is away. */
const doubtMs = 1_000

const away = () => new DatabaseUnavailable('the node that holds this tenant does not answer')

export function watchNodes(
  isThere: (group: number) => Promise<boolean>,
  /** One is away, or back. */
  onChange: (group: number, isAway: boolean) => void,
): NodeWatch {
  const nodes = new Map<number, Watched>()
  const timer = setInterval(() => {
    for (const [group, node] of nodes) if (isDoubtful(node)) void check(group, node)
  }, lookMs).unref()

  async function check(group: number, node: Watched): Promise<void> {
    node.isBeingChecked = true
    const there = await isThere(group).catch(() => null)
    node.isBeingChecked = false
    // Where nobody can say, it is as it was.
    if (there === null) return
    if (!there) for (const { giveUp } of node.asked) giveUp(away())
    if (node.isAway !== there) return
    node.isAway = !there
    onChange(group, node.isAway)
  }

  return {
    asking(group, work) {
      let node = nodes.get(group)
      if (!node) {
        node = { isAway: false, isBeingChecked: false, asked: new Set() }
        nodes.set(group, node)
      }
      if (node.isAway) return Promise.reject(away())
      const { asked } = node
      return new Promise((resolve, reject) => {
        const one = { began: performance.now(), giveUp: reject }
        asked.add(one)
        work()
          .then(resolve, reject)
          .finally(() => asked.delete(one))
      })
    },
    close: () => clearInterval(timer),
  }
}

function isDoubtful({ isAway, isBeingChecked, asked }: Watched): boolean {
  if (isBeingChecked) return false
  const [oldest] = asked
  return isAway || (oldest !== undefined && performance.now() - oldest.began > doubtMs)
}
