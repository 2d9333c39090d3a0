import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'

interface ChecklistCardProps {
  items: readonly string[]
  onChange: (items: string[]) => void
}

const maxItems = 50

export function ChecklistCard({ items, onChange }: ChecklistCardProps) {
  const swap = (place: number, other: number) =>
    onChange(items.with(place, items[other]!).with(other, items[place]!))
  return (
    <Card>
      <CardHeader title={texts.checklist}>{texts.checklistNote}</CardHeader>
      <div className="flex flex-col gap-2 px-5 pt-1 pb-5">
        {items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place while it is typed
          <div key={place} className="flex items-center gap-1">
            <TextInput
              aria-label={texts.item(place + 1)}
              value={item}
              onChange={(event) => onChange(items.with(place, event.target.value))}
              maxLength={200}
              autoFocus={item === '' && place === items.length - 1}
            />
            <IconButton
              label={texts.itemUp(place + 1)}
              disabled={place === 0}
              onClick={() => swap(place, place - 1)}
              className="w-8! disabled:opacity-35"
            >
              <ChevronUp className="size-4" aria-hidden />
            </IconButton>
            <IconButton
              label={texts.itemDown(place + 1)}
              disabled={place === items.length - 1}
              onClick={() => swap(place, place + 1)}
              className="w-8! disabled:opacity-35"
            >
              <ChevronDown className="size-4" aria-hidden />
            </IconButton>
            <IconButton
              label={texts.removeItem(place + 1)}
              onClick={() => onChange(items.toSpliced(place, 1))}
              className="w-8!"
            >
              <X className="size-4" aria-hidden />
            </IconButton>
          </div>
        ))}
        {items.length < maxItems && (
          <div>
            <Button small kind="quiet" onClick={() => onChange([...items, ''])}>
              <Plus className="size-4" aria-hidden />
              {texts.addItem}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
