import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ApiError } from '../../api/client.ts'
import { catalogueQuery } from '../../items/catalogue-query.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { useRecordName } from '../../shell/page-title.ts'
import { items as texts } from '../../texts/en/items.ts'
import { project as projectTexts } from '../../texts/en/project.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Page, PageHeader } from '../../ui/surface.tsx'
import { type ProjectResponse, projectQuery } from '../project/use-project.ts'
import { ItemsForm } from './items-form.tsx'

/** The system or the products of a project, changed after the sale. */
export function ItemsPage() {
  const { id } = useParams({ from: '/inside/projects/$id/items' })
  const query = useQuery(projectQuery(id))
  const missing = query.error instanceof ApiError && query.error.status === 404
  if (missing || query.data?.can.write === false) return <NotFound />
  return (
    <Page>
      <Loaded query={query}>{(project) => <Items project={project} />}</Loaded>
    </Page>
  )
}

function Items({ project }: { project: ProjectResponse }) {
  const catalogue = useQuery(catalogueQuery(project.productLine))
  const { firstName, lastName } = project.customer
  const name = [firstName, lastName].filter(Boolean).join(' ') || projectTexts.nameless
  useRecordName(name)
  return (
    <>
      <BackLink to="/projects/$id" params={{ id: project.id }}>
        {texts.back}
      </BackLink>
      <PageHeader title={texts.titles[project.productLine]} note={texts.for(name)} />
      <Loaded query={catalogue}>{(offered) => <ItemsForm project={project} offered={offered} />}</Loaded>
    </>
  )
}
