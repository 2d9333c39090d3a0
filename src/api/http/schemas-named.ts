import type { TSchema } from 'typebox'

/** The schemas of these names, and those that they refer to. */
export function schemasNamed(all: readonly TSchema[], names: readonly string[]): TSchema[] {
  const wanted = new Set(names)
  // A set goes on with what is added to it meanwhile.
  for (const name of wanted) {
    const schema = all.find((one) => (one as { $id?: string }).$id === name)
    for (const [, found] of JSON.stringify(schema ?? {}).matchAll(/"\$ref":"([^"#]+)#"/g)) wanted.add(found!)
  }
  return all.filter((schema) => wanted.has((schema as { $id?: string }).$id ?? ''))
}
