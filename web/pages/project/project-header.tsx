import { Link } from '@tanstack/react-router'
import { ExternalLink, MapPin, Share2, UserRound } from 'lucide-react'
import { useState } from 'react'
import { useRecordName } from '../../shell/page-title.ts'
import { common } from '../../texts/en/common.ts'
import { links } from '../../texts/en/links.ts'
import { privacy } from '../../texts/en/privacy.ts'
import { project as texts } from '../../texts/en/project.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Badge, PageHeader } from '../../ui/surface.tsx'
import { UnbrokenAddress } from '../../ui/unbroken-text.tsx'
import { ShareDialog } from './share-dialog.tsx'
import type { ProjectResponse } from './use-project.ts'

export function ProjectHeader({ project }: { project: ProjectResponse }) {
  const [sharing, setSharing] = useState(false)
  const { customer, address, company, reference, proposal } = project
  const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ')
  const nameless = project.erasedAt ? privacy.erasedCustomer : texts.nameless
  const street = [address.line1, address.line2].filter(Boolean).join(', ')
  const city = [address.city, [address.state, address.postalCode].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  useRecordName(name || nameless)
  return (
    <PageHeader
      title={name || nameless}
      note={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
          {(street || city) && (
            <span className="inline-flex items-center gap-1.5">
              <MapPin className="size-4 shrink-0" aria-hidden />
              <UnbrokenAddress lines={[street, city]} />
            </span>
          )}
          <span>{texts.soldBy(company)}</span>
          <Badge>{common.lines[project.productLine]}</Badge>
          {reference && <span className="font-mono text-[0.87rem]">{reference}</span>}
        </div>
      }
      actions={
        <>
          <Link to="/leads/$id" params={{ id: project.leadId }} className={buttonClass('plain')}>
            <UserRound className="size-4" aria-hidden />
            {texts.lead}
          </Link>
          {proposal && (
            <a href={proposal} target="_blank" rel="noreferrer" className={buttonClass('plain')}>
              <ExternalLink className="size-4" aria-hidden />
              {texts.proposal}
            </a>
          )}
          {proposal && (
            <Button onClick={() => setSharing(true)}>
              <Share2 className="size-4" aria-hidden />
              {links.shareProposal}
            </Button>
          )}
          {sharing && (
            <ShareDialog projectId={project.id} shared="proposal" onClose={() => setSharing(false)} />
          )}
        </>
      }
    />
  )
}
