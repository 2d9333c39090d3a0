import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { NotFound } from '../../../shell/not-found.tsx'
import { useRecordName } from '../../../shell/page-title.ts'
import { common } from '../../../texts/en/common.ts'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { BasicsCard } from './basics-card.tsx'
import { ChecklistCard } from './checklist-card.tsx'
import { MessagesCard } from './messages-card.tsx'
import { RetireDialog } from './retire-dialog.tsx'
import { daysAreWrong, useStageDraft } from './stage-draft.ts'
import { inUse, laddersQuery, type StageSettingResponse, useLadderChange } from './use-ladders.ts'

const route = getRouteApi('/inside/settings/ladder/$id')

/** One stage: what it is called, and what follows when a project enters it. */
export function StagePage() {
  const { id } = route.useParams()
  const query = useQuery(laddersQuery)
  return (
    <Loaded query={query}>
      {(ladders) => {
        const stage = ladders.stages.find((one) => one.id === id && !one.leavingTo)
        if (!stage) return <NotFound />
        const others = inUse(ladders, stage.productLine).filter((one) => one.id !== id)
        return <StageEditor key={id} stage={stage} others={others} placeholders={ladders.placeholders} />
      }}
    </Loaded>
  )
}

interface StageEditorProps {
  stage: StageSettingResponse
  others: readonly StageSettingResponse[]
  placeholders: readonly string[]
}

function StageEditor({ stage, others, placeholders }: StageEditorProps) {
  const { say } = useToasts()
  useRecordName(stage.name)
  const draft = useStageDraft(stage)
  const [retiring, setRetiring] = useState(false)
  const save = useLadderChange((submission) => api.patch(`/stages/${stage.id}`, draft.patch(), submission))
  const { form, set } = draft

  function submit(event: FormEvent) {
    event.preventDefault()
    if (daysAreWrong(form.daysAllowed)) return
    save.mutate(undefined, {
      onSuccess: () => {
        draft.discard()
        say(common.saved)
      },
    })
  }

  return (
    <>
      <BackLink to="/settings/ladder" search={stage.productLine === 'hi' ? { line: 'hi' } : {}}>
        {texts.back}
      </BackLink>
      <SettingsHeader
        title={stage.name}
        note={`${common.lines[stage.productLine]} · ${texts.projects(stage.projects)}`}
        actions={
          others.length > 0 && (
            <Button kind="danger" onClick={() => setRetiring(true)}>
              {texts.retire}
            </Button>
          )
        }
      />
      {/* What the keyboard reaches comes out from under the bar that saves. */}
      <form
        onSubmit={submit}
        className="flex flex-col gap-4 [&_:is(input,textarea,select,button)]:scroll-mb-40"
      >
        <BasicsCard form={form} onChange={set} />
        <ChecklistCard items={form.checklist} onChange={(checklist) => set({ checklist })} />
        <AlertsCard targets={form.alerts} onChange={(alerts) => set({ alerts })} />
        <MessagesCard
          stage={form.name}
          messages={form.messages}
          placeholders={placeholders}
          onChange={(messages) => set({ messages })}
        />
        {draft.begun && (
          <div className="sticky bottom-16 z-10 flex flex-col gap-3 rounded-xl border border-line bg-raised px-5 py-3 shadow-high sm:bottom-4">
            {draft.changedMeanwhile ? (
              <ChangedMeanwhile onKeep={draft.keep} onDiscard={draft.discard} />
            ) : (
              <>
                <Problem>{save.error?.message}</Problem>
                <div className="flex flex-wrap items-center justify-end gap-2">
                  <p className="flex-1 text-ink-soft">{texts.unsaved}</p>
                  <Button onClick={draft.discard}>{texts.discard}</Button>
                  <Button kind="primary" type="submit" busy={save.isPending}>
                    {common.save}
                  </Button>
                </div>
              </>
            )}
          </div>
        )}
      </form>
      {retiring && <RetireDialog stage={stage} others={others} onClose={() => setRetiring(false)} />}
    </>
  )
}
