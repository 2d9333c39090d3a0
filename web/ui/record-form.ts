import { useDraft } from './draft.ts'

/**
 * A record that is changed in a form, as texts: what is typed, what was there when the first of it was typed, and which
 * fields others have changed since, to something else than is typed here. `words` says how a field and its value read.
 */
export function useRecordForm<F extends Record<string, string>>(
  draftKey: string,
  saved: F,
  words: (name: keyof F & string) => readonly [label: string, text: string],
) {
  const draft = useDraft(draftKey, { form: saved, seen: saved })
  const { form, seen } = draft.value
  const names = Object.keys(saved) as (keyof F & string)[]
  const mine = Object.fromEntries(
    names.filter((name) => form[name] !== seen[name]).map((name) => [name, form[name]]),
  ) as Partial<F>
  const theirs = names.filter((name) => saved[name] !== seen[name] && saved[name] !== form[name])
  const set = (change: Partial<F>) => draft.write({ form: { ...form, ...change }, seen })
  return {
    form,
    seen,
    /** Only what was changed here. */
    mine,
    begun: draft.begun,
    set,
    /** For the control of a field. */
    input: <N extends keyof F>(name: N) => ({
      value: form[name],
      onChange: (text: string) => set({ [name]: text } as Partial<F>),
    }),
    discard: draft.discard,
    meanwhile: {
      theirs: theirs.map(words),
      /** What was typed stays; of what others have changed besides, theirs does. */
      onKeep: () => draft.write({ form: { ...saved, ...mine }, seen: saved }),
      onDiscard: draft.discard,
    },
  }
}
