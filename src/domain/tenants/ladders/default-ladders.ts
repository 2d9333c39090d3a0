import type { AlertTarget, MilestoneKey, ProductLine } from '../../kernel/tenant/stage.ts'

interface DefaultStage {
  name: string
  milestone?: MilestoneKey
  daysAllowed?: number
  checklist?: string[]
  alerts?: AlertTarget[]
}

/** What a new installer begins with. Messages to customers are the company's own to write. */
export const defaultLadders: Record<ProductLine, DefaultStage[]> = {
  solar: [
    { name: 'Sold', milestone: 'contractSigned', daysAllowed: 3, alerts: ['projectManager'] },
    {
      name: 'Site Survey',
      daysAllowed: 10,
      checklist: ['Survey booked with the customer', 'Roof photos taken', 'Main panel photographed'],
      alerts: ['siteSurveyor'],
    },
    {
      name: 'Design',
      milestone: 'siteSurveyCompleted',
      daysAllowed: 10,
      checklist: ['Layout drawn', 'Shading checked', 'Customer approved the layout'],
    },
    {
      name: 'Permitting',
      milestone: 'plansetCompleted',
      daysAllowed: 30,
      checklist: ['Permit application sent', 'Interconnection application sent'],
    },
    { name: 'NTP', daysAllowed: 7, alerts: ['projectManager'] },
    {
      name: 'Install Scheduled',
      daysAllowed: 21,
      checklist: ['Crew assigned', 'Material ordered', 'Customer confirmed the day'],
      alerts: ['salesRep', 'subcontractor'],
    },
    {
      name: 'Installed',
      milestone: 'installCompleted',
      daysAllowed: 7,
      checklist: ['Installation photos uploaded'],
      alerts: ['salesRep'],
    },
    { name: 'Inspection', daysAllowed: 21, checklist: ['Inspection booked'] },
    { name: 'PTO', milestone: 'ptoGranted', daysAllowed: 14, alerts: ['salesRep', 'projectManager'] },
    { name: 'Complete' },
  ],
  hi: [
    { name: 'Sold', milestone: 'contractSigned', daysAllowed: 3, alerts: ['projectManager'] },
    {
      name: 'Measure',
      daysAllowed: 10,
      checklist: ['Measurements taken', 'Material list made'],
      alerts: ['siteSurveyor'],
    },
    {
      name: 'Ordered',
      milestone: 'siteSurveyCompleted',
      daysAllowed: 30,
      checklist: ['Order confirmed by the supplier'],
    },
    {
      name: 'Scheduled',
      daysAllowed: 21,
      checklist: ['Crew assigned', 'Customer confirmed the day'],
      alerts: ['salesRep', 'subcontractor'],
    },
    { name: 'In Progress', daysAllowed: 14 },
    {
      name: 'Punch List',
      milestone: 'installCompleted',
      daysAllowed: 14,
      checklist: ['Walk-through with the customer'],
    },
    { name: 'Complete', alerts: ['salesRep'] },
  ],
}
