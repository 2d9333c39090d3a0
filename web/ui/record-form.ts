import { useDraft } from './draft.ts'

/**
 * A record that is changed in a form, as texts: what is typed, what was there when the first of it was typed, and which
 * fields others have changed since, to something else than is typed here.
 */
export function useRecordForm<F extends Record<string, string>>(draftKey: string, saved: F) {
  const draft = useDraft(draftKey, { form: saved, seen: saved })
  const { form, seen } = draft.value
  const names = Object.keys(saved) as (keyof F & string)[]
  const isMine = (name: keyof F) => form[name] !== seen[name]
  return {
    form,
    seen,
    names,
    begun: draft.begun,
    theirs: names.filter((name) => saved[name] !== seen[name] && saved[name] !== form[name]),
    set: (change: Partial<F>) => draft.write({ form: { ...form, ...change }, seen }),
    /** What was typed stays; of what others have changed besides, theirs does. */
    keepMine() {
      const mine = Object.fromEntries(names.filter(isMine).map((name) => [name, form[name]]))
      draft.write({ form: { ...saved, ...mine }, seen: saved })
    },
    discard: draft.discard,
  }
}
