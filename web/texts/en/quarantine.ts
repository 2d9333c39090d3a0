import { common } from './common.ts'

export const quarantine = {
  title: 'Quarantined readings',
  note: 'More than the panel can produce. These readings are in no total, alert or invoice until you release them.',
  link: (count: number) =>
    `${common.figure(count)} ${count === 1 ? 'quarantined reading' : 'quarantined readings'}`,
  total: (count: number) => `${common.figure(count)} ${count === 1 ? 'reading' : 'readings'}`,
  list: 'Quarantined readings',
  empty: 'No readings are waiting',
  emptyNote: 'A reading above what its panel can produce is kept here until someone looks at it.',
  onlyInstallation: (name: string) => `Only ${name}`,
  every: 'Show all installations',
  selectAll: 'Select all shown',
  select: (panel: string, when: string) => `Select ${panel}, ${when}`,
  selected: (count: number) => `${common.count(count, 'reading', 'readings')} selected`,
  release: 'Release',
  drop: 'Drop',
  released: (count: number) => `${common.count(count, 'reading', 'readings')} released.`,
  dropped: (count: number) => `${common.count(count, 'reading', 'readings')} dropped.`,
  releaseTitle: (count: number) => `Release ${common.count(count, 'reading', 'readings')}?`,
  releaseNote: (kwh: string) =>
    `${kwh} kWh will be added to the energy of this site, to alerts and to the next invoice. Months already invoiced are trued up.`,
  dropTitle: (count: number) => `Drop ${common.count(count, 'reading', 'readings')}?`,
  dropNote:
    'They are not counted, and sending the same values again does not bring them back. A corrected value is still accepted.',
  cancel: common.cancel,
  reading: (kwh: string, interval: string) => `${kwh} kWh in ${interval}`,
  most: (kwh: string, kw: string) => `At most ${kwh} kWh is possible (${kw} kW × 1.3)`,
  standing: (kwh: string) => `${kwh} kWh is counted for this time`,
  nothingStands: 'Nothing is counted for this time',
  minutes: (count: string) => `${count} min`,
  hours: (count: string) => `${count} h`,
}
