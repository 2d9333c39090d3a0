import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useSession } from '../../session/session.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { settings as texts } from '../../texts/en/settings.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Page, PageHeader } from '../../ui/surface.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { sectionsFor } from './sections.ts'

/** The settings: a section beside the list of all of them; where there is no room for both, below a choice. */
export function SettingsLayout() {
  const sections = sectionsFor(useSession())
  const { pathname } = useLocation()
  const wide = useWide()
  const current = sections.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  if (!current) return <NotFound />
  return (
    <Page>
      <PageHeader title={texts.title} />
      <div className={wide ? 'flex gap-8' : 'flex flex-col gap-5'}>
        {wide ? (
          <SectionList sections={sections} />
        ) : (
          <SectionChoice sections={sections} value={current.to} />
        )}
        <div className="min-w-0 flex-1">
          <Outlet />
        </div>
      </div>
    </Page>
  )
}

type Sections = ReturnType<typeof sectionsFor>

function SectionList({ sections }: { sections: Sections }) {
  return (
    <nav aria-label={texts.sections} className="w-44 shrink-0">
      <ul className="sticky top-6 flex flex-col gap-0.5">
        {sections.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ includeSearch: false }}
              className="flex min-h-9 items-center rounded-lg px-3 text-ink-soft hover:bg-sunken hover:text-ink"
              activeProps={{ className: 'bg-sunken font-medium text-ink!' }}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SectionChoice({ sections, value }: { sections: Sections; value: Sections[number]['to'] }) {
  const navigate = useNavigate()
  return (
    <Field label={texts.choose}>
      <Select
        value={value}
        onChange={(event) => navigate({ to: event.target.value as Sections[number]['to'] })}
      >
        {sections.map(({ to, label }) => (
          <option key={to} value={to}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
