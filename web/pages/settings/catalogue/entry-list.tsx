import { Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../../api/client.ts'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { type Sortable, SortableList } from '../../../ui/sortable-list.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { useOrder } from '../../../ui/use-order.ts'
import { type SectionName, useCatalogueRefresh } from './use-catalogue.ts'

interface EntryListProps<T extends Sortable> {
  section: SectionName
  label: string
  items: readonly T[]
  onEdit: (item: T) => void
  children: (item: T) => ReactNode
}

/** Entries in the installer's own order; each opens to be edited. */
export function EntryList<T extends Sortable>({
  section,
  label,
  items,
  onEdit,
  children,
}: EntryListProps<T>) {
  const refresh = useCatalogueRefresh()
  const { shown, order } = useOrder(items, {
    save: (before, after) => api.put(`/${section}/order`, { before, after }),
    refresh,
  })
  return (
    <Card>
      {items.length === 0 && (
        <EmptyState icon={<Package aria-hidden />} title={texts.empty}>
          {texts.emptyNote}
        </EmptyState>
      )}
      <SortableList label={label} items={shown} onOrder={order}>
        {(item) => (
          <button
            type="button"
            onClick={() => onEdit(item)}
            className="group flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 pr-4 pl-1 text-left"
          >
            {children(item)}
          </button>
        )}
      </SortableList>
    </Card>
  )
}
