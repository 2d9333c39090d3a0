import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { ActivityFeed } from '../../activity/activity-feed.tsx'
import { ApiError } from '../../api/client.ts'
import { ErasedNotice } from '../../privacy/erased-notice.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { files } from '../../texts/en/files.ts'
import { project as texts } from '../../texts/en/project.ts'
import { Loaded } from '../../ui/states.tsx'
import { Card, CardHeader, Page } from '../../ui/surface.tsx'
import { ChecklistCard } from './checklist-card.tsx'
import { ContractCard } from './contract-card.tsx'
import { FilesCard } from './files-card.tsx'
import { Ladder } from './ladder.tsx'
import { LinksCard } from './links-card.tsx'
import { MilestonesCard } from './milestones-card.tsx'
import { NotesCard } from './notes-card.tsx'
import { PeopleCard } from './people-card.tsx'
import { ProjectHeader } from './project-header.tsx'
import { ProjectLoading } from './project-loading.tsx'
import { ScheduleCard } from './schedule-card.tsx'
import { SystemCard } from './system-card.tsx'
import { isAgreed, type ProjectResponse, projectQuery } from './use-project.ts'

export function ProjectPage() {
  const { id } = useParams({ from: '/inside/projects/$id' })
  const query = useQuery(projectQuery(id))
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />
  return (
    <Page room="cards">
      <Loaded query={query} loading={<ProjectLoading />}>
        {(project) =>
          // It also answers to its lead's id and to references: it has one address.
          project.id === id ? (
            <Project project={project} />
          ) : (
            <Navigate to="/projects/$id" params={{ id: project.id }} replace />
          )
        }
      </Loaded>
    </Page>
  )
}

const sections = [
  ['overview', texts.overview],
  ['checklist', texts.checklist],
  ['files', files.title],
  ['activity', texts.activity],
] as const

function Project({ project }: { project: ProjectResponse }) {
  return (
    <>
      <ProjectHeader project={project} />
      {project.erasedAt && <ErasedNotice erasedAt={project.erasedAt} />}
      <Ladder project={project} />
      <nav aria-label={texts.sections} className="flex gap-2 overflow-x-auto pt-4 lg:hidden">
        {sections.map(([id, label]) => (
          <a
            key={id}
            href={`#${id}`}
            className="inline-flex min-h-9 items-center rounded-full border border-line bg-surface px-3.5 text-[0.9rem] font-medium"
          >
            {label}
          </a>
        ))}
      </nav>
      <div className="grid items-start gap-5 pt-5 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <div id="overview" className="flex scroll-mt-4 flex-col gap-5">
          <div className="grid items-start gap-5 xl:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-5">
              <ScheduleCard project={project} />
              <SystemCard project={project} />
              {!project.system && <NotesCard project={project} />}
            </div>
            <div className="flex min-w-0 flex-col gap-5">
              <PeopleCard project={project} />
              {isAgreed(project) && <ContractCard project={project} />}
            </div>
          </div>
          {project.system && <NotesCard project={project} />}
          <div id="files" className="scroll-mt-4">
            <FilesCard project={project} />
          </div>
          <LinksCard project={project} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <div id="checklist" className="scroll-mt-4">
            <ChecklistCard project={project} />
          </div>
          <MilestonesCard project={project} />
          <Card>
            <div id="activity" className="scroll-mt-4">
              <CardHeader title={texts.activity} />
              <div className="px-5 pb-5">
                <ActivityFeed leadId={project.leadId} readOnly={project.erasedAt !== null} />
              </div>
            </div>
          </Card>
        </div>
      </div>
    </>
  )
}
