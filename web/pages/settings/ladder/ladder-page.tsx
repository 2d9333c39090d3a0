import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ListOrdered, Plus } from 'lucide-react'
import { useState } from 'react'
import type { LaddersResponse } from '../../../../src/api/console/ladders.ts'
import { api } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { project } from '../../../texts/en/project.ts'
import { Button } from '../../../ui/button.tsx'
import { SortableList } from '../../../ui/sortable-list.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../../ui/surface.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { useOrder } from '../../../ui/use-order.ts'
import { SettingsHeader } from '../settings-header.tsx'
import { AddStageDialog } from './add-stage-dialog.tsx'
import { inUse, type Line, laddersQuery, type StageSettingResponse } from './use-ladders.ts'

const route = getRouteApi('/inside/settings/ladder')
const lines = Object.entries(common.lines).map(([value, label]) => ({ value: value as Line, label }))

/** The stages of each product line, in order. */
export function LadderPage() {
  const line: Line = route.useSearch().line === 'hi' ? 'hi' : 'solar'
  const navigate = route.useNavigate()
  const query = useQuery(laddersQuery)
  const [adding, setAdding] = useState(false)
  return (
    <>
      <SettingsHeader
        title={texts.title}
        note={texts.note}
        actions={
          <Button kind="primary" disabled={!query.data} onClick={() => setAdding(true)}>
            <Plus className="size-4" aria-hidden />
            {texts.addStage}
          </Button>
        }
      />
      <div className="pb-4">
        <Segments
          label={texts.line}
          options={lines}
          value={line}
          onChange={(value) => navigate({ search: value === 'hi' ? { line: value } : {}, replace: true })}
        />
      </div>
      <Loaded query={query}>
        {(ladders) => (
          <>
            <Stages key={line} ladders={ladders} line={line} />
            <Leaving ladders={ladders} line={line} />
            {adding && (
              <AddStageDialog line={line} stages={inUse(ladders, line)} onClose={() => setAdding(false)} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function Stages({ ladders, line }: { ladders: LaddersResponse; line: Line }) {
  const client = useQueryClient()
  const stages = inUse(ladders, line)
  const { shown, order } = useOrder(stages, {
    save: (before, after) => api.put('/ladders/order', { productLine: line, before, after }),
    refresh: () => client.invalidateQueries(),
  })
  return (
    <Card>
      {stages.length === 0 && <EmptyState icon={<ListOrdered aria-hidden />} title={texts.empty} />}
      <SortableList label={texts.list} items={shown} onOrder={order}>
        {(stage) => <StageRow stage={stage} />}
      </SortableList>
    </Card>
  )
}

function StageRow({ stage }: { stage: StageSettingResponse }) {
  const { milestone, daysAllowed, checklist, alerts, messages } = stage
  const facts = [
    daysAllowed && texts.days(daysAllowed),
    milestone && texts.stamps(project.milestoneNames[milestone]),
    checklist.length > 0 && texts.items(checklist.length),
    alerts.length > 0 && texts.alertsWhom(alerts.map((target) => texts.targets[target]).join(', ')),
    messages.length > 0 && texts.messageCount(messages.length),
  ].filter(Boolean)
  return (
    <Link
      to="/settings/ladder/$id"
      params={{ id: stage.id }}
      className="group flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 pr-4 pl-1"
    >
      <span className="min-w-0 flex-1 basis-52">
        <span className="block truncate font-medium group-hover:underline">{stage.name}</span>
        {facts.length > 0 && <span className="block text-[0.87rem] text-ink-soft">{facts.join(' · ')}</span>}
      </span>
      {stage.projects > 0 && <Badge>{texts.projects(stage.projects)}</Badge>}
    </Link>
  )
}

/** Stages that still wait for their last project to go. */
function Leaving({ ladders: { stages }, line }: { ladders: LaddersResponse; line: Line }) {
  const leaving = stages.filter(({ productLine, leavingTo }) => productLine === line && leavingTo)
  if (leaving.length === 0) return null
  return (
    <Card className="mt-4">
      <CardHeader title={texts.retiring} />
      <ul className="flex flex-col gap-2 px-5 pb-4">
        {leaving.map((stage) => (
          <li key={stage.id} className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{stage.name}</span>
            <span className="text-ink-soft">
              {texts.leaving(stage.projects, stages.find(({ id }) => id === stage.leavingTo)?.name ?? '')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
