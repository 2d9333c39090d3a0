import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { useWide } from '../../../ui/use-wide.ts'
import { SettingsHeader } from '../settings-header.tsx'
import { AdderDialog } from './adder-dialog.tsx'
import { AdderFace, EquipmentFace } from './entry-faces.tsx'
import { EntryList } from './entry-list.tsx'
import { EquipmentDialog } from './equipment-dialog.tsx'
import { TableMenu } from './table-menu.tsx'
import { addersQuery, equipmentQuery, type Part, parts, sectionOf } from './use-catalogue.ts'

const route = getRouteApi('/inside/settings/catalogue')
const options = parts.map((value) => ({ value, label: texts.parts[value] }))

/** What the installer offers, part by part. */
export function CataloguePage() {
  const { part: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const part: Part = parts.find((one) => one === asked) ?? 'solar'
  const [edited, setEdited] = useState<string | null>(null)
  const choose = (value: Part) =>
    navigate({ search: value === 'solar' ? {} : { part: value }, replace: true })
  const actions = (
    <>
      <TableMenu section={sectionOf(part)} />
      <Button kind="primary" onClick={() => setEdited('')}>
        <Plus className="size-4" aria-hidden />
        {texts.add}
      </Button>
    </>
  )
  return (
    <>
      <SettingsHeader title={texts.title} note={texts.note} actions={actions} />
      <Choice part={part} onChoose={choose} />
      {part === 'solar' || part === 'hi' ? (
        <Adders key={part} part={part} edited={edited} onEdit={setEdited} />
      ) : (
        <Equipment key={part} part={part} edited={edited} onEdit={setEdited} />
      )}
    </>
  )
}

function Choice({ part, onChoose }: { part: Part; onChoose: (part: Part) => void }) {
  const wide = useWide()
  return (
    <div className="pb-4">
      {wide ? (
        <Segments label={texts.choose} options={options} value={part} onChange={onChoose} />
      ) : (
        <Field label={texts.choose} labelHidden>
          <Select value={part} onChange={(event) => onChoose(event.target.value as Part)}>
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      )}
    </div>
  )
}

interface EntriesProps<P extends Part> {
  part: P
  /** The id of what is edited; empty for something new. */
  edited: string | null
  onEdit: (id: string | null) => void
}

function Adders({ part, edited, onEdit }: EntriesProps<'solar' | 'hi'>) {
  const query = useQuery(addersQuery)
  return (
    <Loaded query={query}>
      {({ items }) => (
        <>
          <EntryList
            section="adders"
            label={texts.parts[part]}
            items={items.filter(({ productLine }) => productLine === part)}
            onEdit={({ id }) => onEdit(id)}
          >
            {(adder) => <AdderFace adder={adder} />}
          </EntryList>
          {edited !== null && (
            <AdderDialog
              line={part}
              adder={items.find(({ id }) => id === edited) ?? null}
              onClose={() => onEdit(null)}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

function Equipment({ part, edited, onEdit }: EntriesProps<'panel' | 'inverter' | 'battery'>) {
  const query = useQuery(equipmentQuery)
  return (
    <Loaded query={query}>
      {({ items }) => (
        <>
          <EntryList
            section="equipment"
            label={texts.parts[part]}
            items={items
              .filter(({ kind }) => kind === part)
              .map((item) => ({ ...item, name: [item.manufacturer, item.model].filter(Boolean).join(' ') }))}
            onEdit={({ id }) => onEdit(id)}
          >
            {(item) => <EquipmentFace item={item} />}
          </EntryList>
          {edited !== null && (
            <EquipmentDialog
              kind={part}
              item={items.find(({ id }) => id === edited) ?? null}
              onClose={() => onEdit(null)}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
