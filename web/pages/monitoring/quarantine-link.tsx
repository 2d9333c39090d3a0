import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useSession } from '../../session/session.tsx'
import { quarantine as texts } from '../../texts/en/quarantine.ts'
import { buttonClass } from '../../ui/button.tsx'
import { quarantinedCountQuery } from './use-quarantine.ts'

/** Leads to the readings that wait, where there are any and one may decide about them. */
export function QuarantineLink({ installation }: { installation?: string }) {
  const { can } = useSession()
  const { data: count = 0 } = useQuery({ ...quarantinedCountQuery(installation), enabled: can.runCompany })
  if (count === 0) return null
  return (
    <Link to="/monitoring/quarantine" search={installation ? { installation } : {}} className={buttonClass()}>
      <TriangleAlert className="size-4 text-warn" aria-hidden />
      {texts.link(count)}
    </Link>
  )
}
