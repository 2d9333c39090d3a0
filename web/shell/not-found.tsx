import { Link } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { common } from '../texts/en/common.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { useRecordName } from './page-title.ts'

export function NotFound() {
  useRecordName(common.notFound)
  return (
    <EmptyState
      page
      icon={<MapPinOff aria-hidden />}
      title={common.notFound}
      action={
        <Link to="/" className={buttonClass('plain')}>
          {common.goHome}
        </Link>
      }
    >
      {common.notFoundNote}
    </EmptyState>
  )
}
