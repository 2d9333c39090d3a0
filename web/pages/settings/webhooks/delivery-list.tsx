import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { classes } from '../../../ui/classes.ts'
import { formatTime } from '../../../ui/format.ts'
import { Badge } from '../../../ui/surface.tsx'
import { hasStretchedLink, stretchedLink, Table, Td, Th } from '../../../ui/table.tsx'
import { useWide } from '../../../ui/use-wide.ts'
import { Moment } from './health.tsx'
import { type DeliveryResponse, stateTones } from './use-webhooks.ts'

interface DeliveryListProps {
  deliveries: DeliveryResponse[]
  onOpen: (id: string) => void
}

export function DeliveryList(props: DeliveryListProps) {
  return useWide() ? <DeliveryTable {...props} /> : <DeliveryCards {...props} />
}

const nameOf = ({ event }: DeliveryResponse) => texts.names[event] ?? event

function DeliveryTable({ deliveries, onOpen }: DeliveryListProps) {
  return (
    <Table label={texts.deliveries}>
      <thead>
        <tr>
          <Th>{texts.deliveryColumns.event}</Th>
          <Th>{texts.deliveryColumns.at}</Th>
          <Th>{texts.deliveryColumns.state}</Th>
          <Th>{texts.deliveryColumns.attempts}</Th>
          <Th>{texts.deliveryColumns.answer}</Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id} className={hasStretchedLink}>
            <Td className="min-w-40">
              <OpenButton delivery={delivery} onOpen={onOpen} />
            </Td>
            <Td className="whitespace-nowrap text-ink-soft">
              <Moment at={delivery.eventAt} />
            </Td>
            <Td>
              <StateBadge state={delivery.state} />
            </Td>
            <Td>{delivery.attempts.length}</Td>
            <Td className="text-ink-soft">{answerOf(delivery)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function DeliveryCards({ deliveries, onOpen }: DeliveryListProps) {
  return (
    <ul aria-label={texts.deliveries} className="divide-y divide-line/70">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className={classes(hasStretchedLink, 'px-4 py-3')}>
          <span className="flex items-center justify-between gap-3">
            <OpenButton delivery={delivery} onOpen={onOpen} />
            <StateBadge state={delivery.state} />
          </span>
          <span className="block text-[0.87rem] text-ink-soft">
            <Moment at={delivery.eventAt} /> · {answerOf(delivery)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function OpenButton({
  delivery,
  onOpen,
}: {
  delivery: DeliveryResponse
  onOpen: DeliveryListProps['onOpen']
}) {
  return (
    <button
      type="button"
      className={classes(stretchedLink, 'text-left font-medium hover:underline')}
      aria-label={texts.details(nameOf(delivery), formatTime(delivery.eventAt))}
      onClick={() => onOpen(delivery.id)}
    >
      {nameOf(delivery)}
    </button>
  )
}

export function StateBadge({ state }: Pick<DeliveryResponse, 'state'>) {
  return <Badge tone={stateTones[state]}>{texts.states[state]}</Badge>
}

function answerOf({ attempts }: DeliveryResponse): string {
  const last = attempts.at(-1)
  if (!last) return texts.noAttempts
  return last.status === null ? texts.noAnswer : String(last.status)
}
