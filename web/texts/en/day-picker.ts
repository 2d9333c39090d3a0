export const dayPicker = {
  today: 'Today',
  clear: 'Clear',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  weekdays: [
    ['Su', 'Sunday'],
    ['Mo', 'Monday'],
    ['Tu', 'Tuesday'],
    ['We', 'Wednesday'],
    ['Th', 'Thursday'],
    ['Fr', 'Friday'],
    ['Sa', 'Saturday'],
  ] as const,
}
