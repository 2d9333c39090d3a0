import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { Choice, SearchField, withFilter } from '../../ui/filters.tsx'
import { useWide } from '../../ui/use-wide.ts'
import type { FleetFilters } from './use-monitoring.ts'

interface FleetFiltersProps {
  filters: FleetFilters
  regions: readonly string[]
  onChange: (filters: FleetFilters) => void
}

export function FleetFiltersBar({ filters, regions, onChange }: FleetFiltersProps) {
  const set = (name: keyof FleetFilters, value: string) => onChange(withFilter(filters, name, value))
  const wide = useWide()
  const shown = [...new Set([...regions, ...(filters.region ? [filters.region] : [])])]
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      <SearchField
        label={texts.search}
        hint={texts.search}
        value={filters.search ?? ''}
        maxLength={100}
        onChange={(search) => set('search', search)}
      />
      <Choice
        label={texts.kind}
        every={texts.everyKind}
        value={filters.kind}
        options={Object.entries(texts.kinds)}
        onChange={(kind) => set('kind', kind)}
      />
      {shown.length > 1 && (
        <Choice
          label={texts.region}
          every={texts.everyRegion}
          value={filters.region}
          options={shown.map((region) => [region, region])}
          onChange={(region) => set('region', region)}
        />
      )}
      {!wide && (
        <Choice
          label={texts.sort}
          every={texts.sorts.trouble}
          value={filters.sort}
          options={Object.entries(texts.otherSorts)}
          onChange={(sort) => set('sort', sort)}
        />
      )}
    </div>
  )
}
