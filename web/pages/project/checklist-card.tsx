import { api } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { project as texts } from '../../texts/en/project.ts'
import { classes } from '../../ui/classes.ts'
import { Checkbox } from '../../ui/field.tsx'
import { formatAgo, formatTime } from '../../ui/format.ts'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { type ProjectResponse, useProjectChange } from './use-project.ts'

type Checklist = ProjectResponse['checklists'][number]

/** What is to be done in the stage that the project is in; the other stages' below it. */
export function ChecklistCard({ project }: { project: ProjectResponse }) {
  const { checklists, stage } = project
  const current = checklists.find(({ stageId }) => stageId === stage.id)
  const others = checklists.filter((checklist) => checklist !== current)
  const all = checklists.flatMap(({ items }) => items)
  const done = all.filter(({ doneAt }) => doneAt).length
  return (
    <Card>
      <CardHeader
        title={texts.checklist}
        actions={
          all.length > 0 && (
            <Badge tone={done === all.length ? 'good' : 'plain'}>
              {texts.checklistDone(done, all.length)}
            </Badge>
          )
        }
      />
      <div className="flex flex-col gap-1 px-5 pb-4">
        {all.length === 0 && <p className="pb-1 text-ink-soft">{texts.noChecklist}</p>}
        {current && <Items project={project} checklist={current} />}
        {others.map((checklist) => (
          <Folded key={checklist.stageId} project={project} checklist={checklist} />
        ))}
      </div>
    </Card>
  )
}

function Folded({ project, checklist }: { project: ProjectResponse; checklist: Checklist }) {
  const { stage, items } = checklist
  const done = items.filter(({ doneAt }) => doneAt).length
  return (
    <details className="group">
      <summary className="flex min-h-9 items-center justify-between gap-3 rounded-lg text-ink-soft hover:text-ink">
        <span className="before:mr-2 before:inline-block before:transition-transform before:content-['›'] group-open:before:rotate-90">
          {stage}
        </span>
        <span className={classes('text-[0.87rem] tabular-nums', done === items.length && 'text-good')}>
          {texts.checklistDone(done, items.length)}
        </span>
      </summary>
      <div className="pb-1 pl-4">
        <Items project={project} checklist={checklist} />
      </div>
    </details>
  )
}

function Items({ project, checklist }: { project: ProjectResponse; checklist: Checklist }) {
  const { person } = useSession()
  const change = useProjectChange(project)
  const { stageId, stage, items } = checklist
  const tick = (label: string, done: boolean) =>
    change.mutate({
      send: () => api.put(`/projects/${project.id}/checklist`, { stageId, label, done }),
      expect: (shown) => ({
        ...shown,
        checklists: shown.checklists.map((one) =>
          one.stageId === stageId ? ticked(one, label, done, person.name) : one,
        ),
      }),
    })
  return (
    <ul aria-label={`${texts.checklist}: ${stage}`}>
      {items.map(({ label, doneAt, doneBy }) => (
        <li key={label} className="py-0.5">
          <Checkbox
            className="w-full items-start! py-1 [&>input]:mt-0.5"
            checked={doneAt !== null}
            onChange={(event) => tick(label, event.target.checked)}
            label={
              <>
                <span className={doneAt ? 'text-ink-soft line-through decoration-line-strong' : undefined}>
                  {label}
                </span>
                {doneAt && (
                  <span className="block text-[0.8rem] text-ink-soft" title={formatTime(doneAt)}>
                    {texts.doneBy(doneBy, formatAgo(doneAt))}
                  </span>
                )}
              </>
            }
          />
        </li>
      ))}
    </ul>
  )
}

function ticked(checklist: Checklist, label: string, done: boolean, by: string): Checklist {
  const doneAt = done ? new Date().toISOString() : null
  return {
    ...checklist,
    items: checklist.items.map((item) =>
      item.label === label ? { label, doneAt, doneBy: done ? by : null } : item,
    ),
  }
}
