import { useDraft } from '../../../ui/draft.ts'
import type { StageSettingResponse } from './use-ladders.ts'

export type StageForm = Pick<
  StageSettingResponse,
  'name' | 'milestone' | 'checklist' | 'alerts' | 'messages'
> & {
  /** As it is typed. */
  daysAllowed: string
}

interface Draft {
  /** The one that was seen when the first of it was typed. */
  version: number
  changed: Partial<StageForm>
}

/** What somebody changes of a stage: only those fields, so that what others change beside them is not undone. */
export function useStageDraft(stage: StageSettingResponse) {
  const draft = useDraft<Draft | null>(`stage-${stage.id}`, null)
  const saved: StageForm = { ...stage, daysAllowed: stage.daysAllowed?.toString() ?? '' }
  const { version, changed } = draft.value ?? { version: stage.version, changed: {} }
  return {
    form: { ...saved, ...changed },
    begun: draft.begun,
    changedMeanwhile: draft.begun && version !== stage.version,
    set: (change: Partial<StageForm>) => draft.write({ version, changed: { ...changed, ...change } }),
    /** Goes on with what is typed, knowing what others have changed. */
    keep: () => draft.write({ version: stage.version, changed }),
    discard: draft.discard,
    /** As the server takes it. Items that were left empty are left out. */
    patch() {
      const { daysAllowed, checklist, ...rest } = changed
      return {
        version,
        ...rest,
        ...(daysAllowed === undefined
          ? {}
          : { daysAllowed: daysAllowed.trim() ? Number(daysAllowed) : null }),
        ...(checklist && { checklist: checklist.filter((label) => label.trim()) }),
      }
    },
  }
}

export function daysAreWrong(text: string): boolean {
  const days = text.trim()
  return days !== '' && !(/^\d{1,4}$/.test(days) && Number(days) >= 1 && Number(days) <= 3_650)
}
