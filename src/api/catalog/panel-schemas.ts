import Type, { type Static } from 'typebox'
import type { Metadata } from '../../domain/sites/installations/metadata.ts'
import { type PanelStatus, panelStatuses } from '../../domain/sites/installations/panel.ts'
import { Answer, number, oneOf, optional, text, timestamp } from '../http/schema-words.ts'
import { pageFields } from './paging.ts'

const closed = { additionalProperties: false }

const name = Type.String({ minLength: 1, maxLength: 200, description: 'How it is shown' })
const status = (description: string) =>
  Type.Unsafe<PanelStatus>({ type: 'string', enum: [...panelStatuses], description })
const metadata = (description: string) =>
  Type.Unsafe<Metadata>({ type: 'object', additionalProperties: true, description })
/** Four decimals are kept, so that nothing smaller is there. */
export const capacityKw = (description: string) =>
  Type.Number({ minimum: 0.0001, maximum: 1_000_000, description })

export const NewPanelBody = Type.Object(
  {
    name,
    capacity_kw: capacityKw('Kilowatts; four decimals are kept'),
    installation_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The installation it is part of, which must be one of yours',
    }),
    metadata: optional(metadata('Whatever you keep with it; at most 16 KiB as JSON')),
  },
  {
    ...closed,
    examples: [
      {
        name: 'Roof south 1',
        capacity_kw: 0.42,
        installation_id: 'inst_01m7egde1e01h969t2e9nkny',
        metadata: { serial: 'HX-2041-77' },
      },
    ],
  },
)
export type NewPanelBody = Static<typeof NewPanelBody>

export const PanelPatchBody = Type.Object(
  {
    name: optional(name),
    status: optional(status('Any status may follow any other')),
    metadata: optional(
      metadata(
        'The names sent are set, a null removes one; at most 16 KiB as JSON together with what is kept',
      ),
    ),
  },
  { ...closed, examples: [{ status: 'maintenance', metadata: { ticket: 4711, serial: null } }] },
)
export type PanelPatchBody = Static<typeof PanelPatchBody>

export const PanelQuery = Type.Object(
  { ...pageFields, status: optional(status('Only panels in this status')) },
  closed,
)
export type PanelQuery = Static<typeof PanelQuery>

export const PanelParams = Type.Object({
  panel_id: Type.String({ description: 'The panel’s id', examples: ['pnl_01m7egde1e01h969t2e9nkny'] }),
})
export type PanelParams = Static<typeof PanelParams>

const listed = {
  id: text(),
  name: text('How it is shown'),
  capacity_kw: number('Kilowatts'),
  status: oneOf(panelStatuses),
  daily_output_kwh: number('What it made on its latest local day with readings; 0 before the first'),
}
const itemExample = {
  id: 'pnl_01m7egde1e01h969t2e9nkny',
  name: 'Roof south 1',
  capacity_kw: 0.42,
  status: 'active',
  daily_output_kwh: 1.874,
}

export const PanelItem = Answer(listed, {
  $id: 'PanelItem',
  description: 'A panel as a list shows it.',
  examples: [itemExample],
})

export const Panel = Answer(
  {
    ...listed,
    installation_id: text('The installation it is part of'),
    metadata: Type.Unsafe({
      type: 'object',
      additionalProperties: true,
      description: 'Whatever was kept with it',
    }),
    created_at: timestamp('When it was registered'),
  },
  {
    $id: 'Panel',
    description: 'What makes energy.',
    examples: [
      {
        ...itemExample,
        installation_id: 'inst_01m7egde1e01h969t2e9nkny',
        metadata: { serial: 'HX-2041-77' },
        created_at: '2026-11-02T17:20:11.004Z',
      },
    ],
  },
)
