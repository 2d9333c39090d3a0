import Type, { type Static } from 'typebox'
import type { Metadata } from '../../domain/sites/installations/metadata.ts'
import { type PanelStatus, panelStatuses } from '../../domain/sites/installations/panel.ts'
import { Answer, number, oneOf, optional, text, timestamp } from '../http/schema-words.ts'
import { exampleIds } from './example-ids.ts'
import { changeFields, ofInstallation } from './record-lists.ts'

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
        installation_id: exampleIds.installation,
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
  {
    ...changeFields,
    status: optional(status('Only panels in this status')),
    installation_id: ofInstallation,
  },
  closed,
)
export type PanelQuery = Static<typeof PanelQuery>

export const PanelParams = Type.Object({
  panel_id: Type.String({ description: 'The panel’s id', examples: [exampleIds.panel] }),
})
export type PanelParams = Static<typeof PanelParams>

const listed = {
  id: text('The panel’s id'),
  name: text('How it is shown'),
  capacity_kw: number('Kilowatts'),
  status: oneOf(panelStatuses, { description: 'Whether it is in service' }),
  daily_output_kwh: number('What it made on its latest local day with readings; 0 before the first'),
  installation_id: text('The installation it is part of'),
  updated_at: timestamp('When it changed last'),
}
const itemExample = {
  id: exampleIds.panel,
  name: 'Roof south 1',
  capacity_kw: 0.42,
  status: 'active',
  daily_output_kwh: 1.874,
  installation_id: exampleIds.installation,
  updated_at: '2026-11-14T08:12:40.310Z',
}

export const PanelItem = Answer(listed, {
  $id: 'PanelItem',
  description: 'A panel as a list shows it.',
  examples: [itemExample],
})

export const Panel = Answer(
  {
    ...listed,
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
        metadata: { serial: 'HX-2041-77' },
        created_at: '2026-11-02T17:20:11.004Z',
      },
    ],
  },
)
