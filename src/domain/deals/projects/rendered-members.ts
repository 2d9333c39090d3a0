/** Members of a record that was rendered, by name, each with its JSON: most are passed on, and need not be read for that. */
export type Members = Map<string, string>

/**
 * Cuts renderings before each of these members, of which the first is their first; what follows one up to the next stays with
 * it. Nothing else in them may look like such a place: within texts quotes are escaped, so that only names count.
 */
export function cutBefore(names: readonly string[]): (rendering: string) => Members {
  const marks = names.map((name) => `,"${name}":`)
  return (rendering) => {
    const members: Members = new Map()
    let begin = marks[0]!.length
    for (let i = 1; i < names.length; i++) {
      const end = rendering.indexOf(marks[i]!, begin)
      if (end === -1) throw new Error(`there is no ${names[i]} behind ${names[i - 1]} in a rendering`)
      members.set(names[i - 1]!, rendering.slice(begin, end))
      begin = end + marks[i]!.length
    }
    return members.set(names.at(-1)!, rendering.slice(begin, -1))
  }
}

/** What a member holds, which is then gone; undefined where there is none, or nothing in it. */
export function taken(members: Members, name: string): string | undefined {
  const value = members.get(name)
  members.delete(name)
  return value === 'null' ? undefined : value
}

export function jsonOf(members: Members): string {
  let json = ''
  for (const [name, value] of members) json += `,"${name}":${value}`
  return `{${json.slice(1)}}`
}
