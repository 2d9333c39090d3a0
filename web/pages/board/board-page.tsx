import { getRouteApi, Link } from '@tanstack/react-router'
import { Kanban } from 'lucide-react'
import { query } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { board as texts } from '../../texts/en/board.ts'
import { common } from '../../texts/en/common.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ClearFilters } from '../../ui/filters.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/states.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { SavedViews } from '../../views/saved-views.tsx'
import { BoardColumns } from './columns.tsx'
import { BoardFiltersBar } from './filters.tsx'
import { type BoardFilters, useBoard } from './use-board.ts'

const route = getRouteApi('/inside/board')

/** A column for each stage, with everything that stands in it. */
export function BoardPage() {
  const session = useSession()
  const filters: BoardFilters = route.useSearch()
  const navigate = route.useNavigate()
  const board = useBoard(filters)
  const filtered = Boolean(filters.search || filters.rep || filters.company || filters.late)
  const change = (next: BoardFilters) => navigate({ search: next, replace: true })

  return (
    <div className="flex h-[calc(100dvh-4rem)] flex-col sm:h-dvh">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 pt-5 pb-3 sm:px-8">
        <h1 className="text-[1.45rem] leading-tight font-semibold tracking-tight">{texts.title}</h1>
        <Segments
          label={texts.line}
          options={[
            { value: 'solar', label: common.lines.solar },
            { value: 'hi', label: common.lines.hi },
          ]}
          value={filters.line === 'hi' ? 'hi' : 'solar'}
          onChange={(line) => change({ ...filters, line: line === 'hi' ? line : undefined })}
        />
        <p className="text-ink-soft" role="status">
          {board.data ? texts.summary(board.data.columns) : common.loading}
        </p>
        <div className="ml-auto">
          <SavedViews
            page="board"
            query={query({ ...filters })}
            onOpen={(saved) => change(Object.fromEntries(new URLSearchParams(saved)))}
          />
        </div>
      </header>
      <BoardFiltersBar filters={filters} onChange={change} />
      <Loaded query={board} loading={<LoadingColumns />}>
        {(shown) =>
          shown.columns.some(({ total }) => total.count > 0 || total.orMore) ? (
            <BoardColumns
              board={shown}
              filters={filters}
              filtered={filtered}
              canMove={session.can.runProjects}
            />
          ) : filtered ? (
            <EmptyState
              icon={<Kanban aria-hidden />}
              title={texts.nothingFits}
              action={<ClearFilters onClear={() => change({ line: filters.line })} />}
            >
              {texts.nothingFitsNote}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<Kanban aria-hidden />}
              title={texts.empty}
              action={
                <Link to="/leads" className={buttonClass('primary')}>
                  {texts.toLeads}
                </Link>
              }
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }
      </Loaded>
    </div>
  )
}

function LoadingColumns() {
  return (
    <div
      role="status"
      aria-label={common.loading}
      className="flex min-h-0 flex-1 gap-3 overflow-hidden px-4 pb-4 sm:px-8"
    >
      {[5, 3, 4, 2, 3].map((cards, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they only fill the place
        <div key={column} className="flex w-72 shrink-0 flex-col gap-2 rounded-2xl bg-sunken p-3">
          <Skeleton className="mb-1 h-6 w-32" />
          {Array.from({ length: cards }, (_, card) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they only fill the place
            <Skeleton key={card} className="h-28 rounded-xl" />
          ))}
        </div>
      ))}
    </div>
  )
}
