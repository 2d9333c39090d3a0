/** Of these fields those that are otherwise than before, each from what to what. */
export function differences<R extends object>(
  before: R,
  after: R,
  fields: readonly (keyof R & string)[],
): Record<string, [from: unknown, to: unknown]> {
  return Object.fromEntries(
    fields.flatMap((field) =>
      before[field] === after[field] ? [] : [[field, [before[field], after[field]]]],
    ),
  )
}
