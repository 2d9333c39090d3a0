import { Link } from '@tanstack/react-router'
import { CopyCheck } from 'lucide-react'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { formatTime } from '../../../ui/format.ts'
import { Card } from '../../../ui/surface.tsx'

/** The same rows came before: whoever has them twice in mind should know. */
export function SameNotice({ shown: { same, state, made } }: { shown: ImportResponse }) {
  if (!same) return null
  return (
    <Card className="flex items-start gap-3 px-5 py-4">
      <CopyCheck className="mt-0.5 size-5 shrink-0 text-warn" aria-hidden />
      <p role="status" className="min-w-0">
        {texts.same(formatTime(String(same.createdAt)), same.by)}{' '}
        <Link
          to="/settings/import/$id"
          params={{ id: same.id }}
          className="font-medium text-action hover:underline"
        >
          {same.name}
        </Link>
        . {state === 'checked' && (made > 0 ? texts.sameMakes(made) : texts.sameUpdates)}
      </p>
    </Card>
  )
}
