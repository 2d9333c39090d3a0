import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ChevronDown, Ellipsis, Handshake, Kanban } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { useSession } from '../../session/session.tsx'
import { useRecordName } from '../../shell/page-title.ts'
import { common } from '../../texts/en/common.ts'
import { lead as texts } from '../../texts/en/lead.ts'
import { leads } from '../../texts/en/leads.ts'
import { privacy } from '../../texts/en/privacy.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { formatAgo, formatTime } from '../../ui/format.ts'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { Badge, PageHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { lastList } from '../leads/last-list.ts'
import { leadName, statusTones } from '../leads/use-leads.ts'
import { type LeadResponse, useLeadField } from './use-lead.ts'

export function LeadHeader({ lead }: { lead: LeadResponse }) {
  const { companies } = useSession()
  const ids = [lead.reference ?? lead.id, lead.externalId].filter(Boolean)
  const title = lead.erasedAt ? privacy.erasedCustomer : leadName(lead.customer)
  useRecordName(title)
  return (
    <>
      <BackLink to="/leads" search={lastList()}>
        {texts.back}
      </BackLink>
      <PageHeader
        title={title}
        note={
          <div className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center gap-2">
              <Status lead={lead} />
              <Badge>{common.lines[lead.productLine]}</Badge>
              {lead.archived && <Badge tone="warn">{leads.archived}</Badge>}
              {companies.length > 1 && <span>{lead.company.name}</span>}
            </span>
            <span className="text-[0.87rem]">
              <time dateTime={lead.createdAt} title={formatTime(lead.createdAt)}>
                {texts.made(formatAgo(lead.createdAt))}
              </time>
              {', '}
              <time dateTime={lead.updatedAt} title={formatTime(lead.updatedAt)}>
                {texts.changed(formatAgo(lead.updatedAt))}
              </time>
              {ids.map((id) => (
                <span key={id}>
                  {' · '}
                  {id}
                </span>
              ))}
            </span>
          </div>
        }
        actions={
          <>
            {lead.project && (
              <Link to="/projects/$id" params={{ id: lead.project.id }} className={buttonClass('primary')}>
                <Kanban className="size-4" aria-hidden />
                {texts.project}
              </Link>
            )}
            {lead.can.sell && (
              <Link to="/leads/$id/sell" params={{ id: lead.id }} className={buttonClass('primary')}>
                <Handshake className="size-4" aria-hidden />
                {texts.sell}
              </Link>
            )}
            {lead.can.archive && <More lead={lead} />}
          </>
        }
      />
    </>
  )
}

function Status({ lead }: { lead: LeadResponse }) {
  const change = useLeadField(lead)
  const name = leads.statuses[lead.status]
  if (lead.project)
    return (
      <>
        <Badge tone="good">{name}</Badge>
        <Badge tone="info">{texts.stage(lead.project.stage)}</Badge>
      </>
    )
  if (!lead.can.edit) return <Badge tone={statusTones[lead.status]}>{name}</Badge>
  const choices = (Object.keys(leads.statuses) as LeadResponse['status'][]).filter((one) => one !== 'sold')
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={texts.changeStatus(name)}
          aria-busy={change.isPending || undefined}
          className="-mx-1 inline-flex min-h-8 items-center gap-1 rounded-full px-1 hover:bg-sunken"
        >
          <Badge tone={statusTones[lead.status]}>
            {name}
            <ChevronDown className="size-3.5" aria-hidden />
          </Badge>
        </button>
      }
    >
      <MenuLabel>{texts.setStatus}</MenuLabel>
      {choices.map((status) => (
        <MenuItem
          key={status}
          current={status === lead.status}
          onSelect={() =>
            change.set({
              field: 'status',
              to: status,
              label: leads.status,
              words: (now) => leads.statuses[now as LeadResponse['status']],
            })
          }
        >
          <Badge tone={statusTones[status]}>{leads.statuses[status]}</Badge>
        </MenuItem>
      ))}
    </Menu>
  )
}

function More({ lead }: { lead: LeadResponse }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const archive = useSubmit({
    mutationFn: (archived: boolean, submission) =>
      api.post('/leads/bulk', { ids: [lead.id], archive: archived }, submission),
    onSuccess: (_answer, archived) => say(archived ? texts.archivedNow : texts.broughtBack),
    onError: complain,
    onSettled: () => {
      for (const queryKey of [['lead', lead.id], ['leads'], ['activities', lead.id], ['home']])
        client.invalidateQueries({ queryKey })
    },
  })
  return (
    <Menu
      trigger={
        <IconButton label={texts.more} className="border border-line bg-surface">
          <Ellipsis className="size-5" aria-hidden />
        </IconButton>
      }
    >
      <MenuItem disabled={archive.isPending} onSelect={() => archive.mutate(!lead.archived)}>
        <Archive className="size-4" aria-hidden />
        {lead.archived ? texts.bringBack : texts.archive}
      </MenuItem>
    </Menu>
  )
}
