/** A value that is given when the statement is run; the same name is the same parameter wherever it stands. */
export interface Param<T = unknown> {
  readonly param: string
  /** For the compiler alone. */
  readonly type?: T
}

export type Params<Q> = { readonly [K in keyof Q]-?: Param<Q[K]> }

type Node =
  | string
  | Param
  /** One or the other, as the value is given or not. */
  | { readonly when: string; readonly then: Fragment; readonly otherwise: Fragment }
  | { readonly pick: string; readonly of: Readonly<Record<string, Fragment>> }
  | { readonly each: string; readonly build: (item: Param) => Fragment; readonly separator: string }

/** A piece of SQL with places for values, to be put into others. */
export interface Fragment {
  readonly nodes: readonly Node[]
}

/** What may stand inside of a statement; never a value itself, which would end up in its text. */
type Piece = Fragment | Param<never> | Param

/** SQL with fragments, and parameters by their names: `sql\`… where id = ${$.id}\``. */
export function sql(strings: TemplateStringsArray, ...pieces: Piece[]): Fragment {
  const nodes: Node[] = [strings[0]!]
  for (const [i, piece] of pieces.entries()) {
    if ('nodes' in piece) nodes.push(...piece.nodes)
    else nodes.push(piece)
    nodes.push(strings[i + 1]!)
  }
  return { nodes }
}

export const empty: Fragment = { nodes: [] }

/** Text of the program's own, such as the name of a table or a limit. */
export function raw(text: string | number): Fragment {
  return { nodes: [String(text)] }
}

export function join(fragments: readonly (Fragment | Param)[], separator = ', '): Fragment {
  return {
    nodes: fragments.flatMap((one, i) => [
      ...(i === 0 ? [] : [separator]),
      ...('nodes' in one ? one.nodes : [one]),
    ]),
  }
}

/** What stands there when the value is given: not null, not undefined, not false. */
export function when(value: Param, then: Fragment, otherwise = empty): Fragment {
  return { nodes: [{ when: value.param, then, otherwise }] }
}

export function pick<T extends string>(value: Param<T>, of: Readonly<Record<T, Fragment>>): Fragment {
  return { nodes: [{ pick: value.param, of }] }
}

/** Once for each of a list's values, which may be lists again. */
export function each<T>(
  values: Param<readonly T[] | undefined>,
  build: (item: Param<T>) => Fragment,
  separator = ', ',
): Fragment {
  return { nodes: [{ each: values.param, build: build as (item: Param) => Fragment, separator }] }
}

/** By its name, where statements are put together. */
export const param = <T>(name: string): Param<T> => ({ param: name })

/** All of them, whatever they are called. */
export function params<Q>(): Params<Q> {
  return new Proxy({}, { get: (_, name) => param(String(name)) }) as Params<Q>
}

/** The text for some values, and how to find those that it takes, in their order. */
export interface Compiled {
  text: string
  places: readonly string[]
}

type Values = Readonly<Record<string, unknown>>

export const tenantParam = 'installerId'

/** The tenant is always the first parameter. */
export function compile({ nodes }: Fragment, values: Values): Compiled {
  const places = mentions(nodes, tenantParam) ? [tenantParam] : []
  const numbers = new Map(places.map((name, i) => [name, i + 1]))
  const write = (node: Node): string => {
    if (typeof node === 'string') return node
    if ('param' in node) {
      const known = numbers.get(node.param)
      if (known !== undefined) return `$${known}`
      numbers.set(node.param, places.push(node.param))
      return `$${places.length}`
    }
    if ('when' in node) return writeAll(isGiven(valueAt(values, node.when)) ? node.then : node.otherwise)
    if ('pick' in node) {
      const chosen = node.of[String(valueAt(values, node.pick))]
      if (!chosen) throw new Error(`no ${node.pick} is called ${String(valueAt(values, node.pick))}`)
      return writeAll(chosen)
    }
    const items = (valueAt(values, node.each) ?? []) as readonly unknown[]
    return items.map((_, i) => writeAll(node.build(param(`${node.each}.${i}`)))).join(node.separator)
  }
  const writeAll = (fragment: Fragment): string => fragment.nodes.map(write).join('')
  return { text: nodes.map(write).join(''), places }
}

/** What of the values the text depends on: the same for values that have the same text. */
export function formOf(controls: readonly Control[], values: Values): string {
  const forms: string[] = []
  for (const control of controls) {
    const value = valueAt(values, control.name)
    if (control.kind === 'when') forms.push(isGiven(value) ? '1' : '0')
    else if (control.kind === 'pick') forms.push(String(value))
    else forms.push(lengthsOf((value ?? []) as readonly unknown[]))
  }
  return forms.join(' ')
}

export interface Control {
  kind: 'when' | 'pick' | 'each'
  name: string
  /** What may be picked. */
  choices: readonly string[]
}

/** Each value that the text depends on, once. */
export function controlsOf(nodes: Fragment['nodes'], found = new Map<string, Control>()): Iterable<Control> {
  for (const node of nodes) {
    if (typeof node === 'string' || 'param' in node) continue
    if ('when' in node) {
      found.set(`when ${node.when}`, { kind: 'when', name: node.when, choices: [] })
      controlsOf(node.then.nodes, found)
      controlsOf(node.otherwise.nodes, found)
    } else if ('pick' in node) {
      // A choice inside of another may be between fewer.
      const known = found.get(`pick ${node.pick}`)?.choices ?? []
      const choices = [...new Set([...known, ...Object.keys(node.of)])]
      found.set(`pick ${node.pick}`, { kind: 'pick', name: node.pick, choices })
      for (const one of Object.values(node.of)) controlsOf(one.nodes, found)
    } else found.set(`each ${node.each}`, { kind: 'each', name: node.each, choices: [] })
  }
  return found.values()
}

/** `words.0.1` is the second of the first of the words. */
export function valueAt(values: Values, place: string): unknown {
  if (!place.includes('.')) return values[place]
  return place.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values)
}

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== false

const lengthsOf = (items: readonly unknown[]): string =>
  `[${items.map((item) => (Array.isArray(item) ? lengthsOf(item) : '-')).join('')}]`

function mentions(nodes: Fragment['nodes'], name: string): boolean {
  return nodes.some((node) => {
    if (typeof node === 'string') return false
    if ('param' in node) return node.param === name
    if ('when' in node) return mentions(node.then.nodes, name) || mentions(node.otherwise.nodes, name)
    if ('pick' in node) return Object.values(node.of).some((one) => mentions(one.nodes, name))
    return mentions(node.build(param(`${node.each}.0`)).nodes, name)
  })
}
