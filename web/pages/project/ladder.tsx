import { useQueryClient } from '@tanstack/react-query'
import { Check, ChevronDown } from 'lucide-react'
import {
  NotMoved,
  type StageMovedResponse,
  undoMove,
  undoMs,
  useMoveQuestion,
} from '../../moving/move-project.tsx'
import { moving } from '../../texts/en/moving.ts'
import { project as texts } from '../../texts/en/project.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { daysSince } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { Badge, Card } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { type ProjectResponse, projectQuery, useProjectChange } from './use-project.ts'

/** More names than these find no room beside each other on any screen: such a ladder is a row of marks. */
const maxNamed = 14

/** The ladder as a line, where the project stands on it and for how long, and the way on. */
export function Ladder({ project }: { project: ProjectResponse }) {
  const { ladder, stage } = project
  const here = ladder.findIndex(({ id }) => id === stage.id)
  return (
    <Card className={classes('px-5 pt-4 pb-5', ladder.length <= maxNamed && '@container')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-lg font-semibold">{stage.name}</h2>
            <Standing project={project} />
          </div>
          {here >= 0 && <p className="text-[0.87rem] text-ink-soft">{texts.step(here + 1, ladder.length)}</p>}
        </div>
        {project.can.run && <MoveMenu project={project} here={here} />}
      </div>
      <ol aria-label={texts.ladder} className="mt-4 flex gap-1 @4xl:gap-0">
        {ladder.map(({ id, name }, i) => {
          const state = i < here ? 'passed' : i === here ? 'here' : 'ahead'
          return (
            <li
              key={id}
              aria-current={state === 'here' ? 'step' : undefined}
              className="relative flex min-w-0 flex-1 flex-col items-center"
            >
              <span
                aria-hidden
                className={classes(
                  'h-1.5 w-full rounded-full @4xl:hidden',
                  state === 'ahead' ? 'bg-line' : 'bg-action',
                  state === 'passed' && 'opacity-60',
                )}
              />
              {i > 0 && (
                <span
                  aria-hidden
                  className={classes(
                    'absolute top-[0.7rem] right-1/2 hidden h-0.5 w-full @4xl:block',
                    i <= here ? 'bg-action' : 'bg-line',
                  )}
                />
              )}
              <span
                aria-hidden
                className={classes(
                  'relative z-1 hidden size-6 items-center justify-center rounded-full border-2 @4xl:flex',
                  state === 'passed' && 'border-action bg-action text-action-ink',
                  state === 'here' && 'border-action bg-surface ring-4 ring-action-soft',
                  state === 'ahead' && 'border-line bg-surface',
                )}
              >
                {state === 'passed' && <Check className="size-3.5" strokeWidth={3} />}
                {state === 'here' && <span className="size-2.5 rounded-full bg-action" />}
              </span>
              <span
                className={classes(
                  'sr-only w-full text-center text-[0.8rem] leading-tight break-words hyphens-auto @4xl:not-sr-only @4xl:px-1 @4xl:pt-2',
                  state === 'here' ? 'font-semibold text-ink' : 'text-ink-soft',
                )}
              >
                {name}
                <span className="sr-only">, {texts[state]}</span>
              </span>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

function Standing({ project: { stage } }: { project: ProjectResponse }) {
  if (!stage.enteredAt) return null
  const days = daysSince(stage.enteredAt)
  const left = stage.daysAllowed === null ? null : stage.daysAllowed - days
  return (
    <>
      <span className="text-ink-soft">{texts.since(days)}</span>
      {left !== null &&
        (left < 0 ? (
          <Badge tone="bad">{texts.daysLate(-left)}</Badge>
        ) : (
          <Badge tone={left <= 2 ? 'warn' : 'plain'}>{texts.daysLeft(left)}</Badge>
        ))}
    </>
  )
}

function standingIn(shown: ProjectResponse, stage: ProjectResponse['ladder'][number]): ProjectResponse {
  return { ...shown, stage: { ...stage, enteredAt: new Date().toISOString() } }
}

function nameOf({ customer: { firstName, lastName } }: ProjectResponse): string {
  return [firstName, lastName].filter(Boolean).join(' ') || texts.nameless
}

/** The next stage is one press away, each other one two. */
function MoveMenu({ project, here }: { project: ProjectResponse; here: number }) {
  const change = useProjectChange(project)
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const { move, question } = useMoveQuestion()
  const { ladder, stage, id } = project
  const next = here >= 0 ? ladder[here + 1] : undefined
  const from = ladder[here]

  const moveTo = (to: (typeof ladder)[number]) => {
    let moved: StageMovedResponse | null = null
    change.mutate({
      send: async () => {
        moved = await move(id, nameOf(project), to.name)
        client.setQueryData(projectQuery(id).queryKey, (shown) => shown && standingIn(shown, to))
      },
      onDone: () => {
        const undo = moved?.undo
        say(
          texts.moved(to.name),
          from && undo
            ? { label: moving.undo, forMs: undoMs, run: () => undoTo(from, undo.moveId) }
            : undefined,
        )
      },
      onRefused: (error) => {
        if (!(error instanceof NotMoved)) complain(error)
      },
    })
  }
  const undoTo = (to: (typeof ladder)[number], moveId: string) =>
    change.mutate({
      send: () => undoMove(id, moveId),
      expect: (shown) => standingIn(shown, to),
      onDone: () => say(moving.undone(to.name)),
    })

  return (
    <div className="flex items-stretch">
      {next && (
        <Button
          kind="primary"
          className="rounded-r-none"
          onClick={() => moveTo(next)}
          disabled={change.isPending}
        >
          {texts.moveTo(next.name)}
        </Button>
      )}
      <Menu
        trigger={
          <Button
            kind="primary"
            className={classes(next && 'rounded-l-none border-l-surface/40! px-3')}
            aria-label={texts.move}
            disabled={change.isPending}
          >
            {!next && texts.move}
            <ChevronDown className="size-4" aria-hidden />
          </Button>
        }
      >
        <MenuLabel>{texts.moveTo('…')}</MenuLabel>
        {ladder.map((one) => (
          <MenuItem
            key={one.id}
            current={one.id === stage.id}
            disabled={one.id === stage.id}
            onSelect={() => moveTo(one)}
          >
            <span className="flex-1">{one.name}</span>
            {one.id === stage.id && <Check className="size-4" aria-hidden />}
          </MenuItem>
        ))}
      </Menu>
      {question}
    </div>
  )
}
