const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

const size = { width: 720, height: 270 }
const plot = { left: 74, right: 712, top: 26, bottom: 236 }
const barWidth = 34

const numbers = new Intl.NumberFormat('en-US')

/** A bar for each month, January first. What it shows is read out as a table. */
export function productionChart(monthlyKwh: readonly number[]): string {
  const step = niceStep(Math.max(...monthlyKwh) / 3)
  const topKwh = step * Math.max(1, Math.ceil(Math.max(...monthlyKwh) / step))
  const heightOf = (kwh: number) => round(((plot.bottom - plot.top) * kwh) / topKwh)
  const lines = Array.from({ length: topKwh / step + 1 }, (_, i) => {
    const y = plot.bottom - heightOf(i * step)
    return `<line x1="${plot.left}" x2="${plot.right}" y1="${y}" y2="${y}"/><text class="scale" x="${plot.left - 10}" y="${y + 4}">${numbers.format(i * step)}</text>`
  })
  const slot = (plot.right - plot.left) / months.length
  const bars = monthlyKwh.map((kwh, month) => {
    const middle = round(plot.left + slot * (month + 0.5))
    const height = heightOf(kwh)
    const y = round(plot.bottom - height)
    return `<rect x="${middle - barWidth / 2}" y="${y}" width="${barWidth}" height="${height}" rx="3"/><text class="value" x="${middle}" y="${y - 7}">${numbers.format(kwh)}</text><text x="${middle}" y="${plot.bottom + 24}">${months[month]}</text>`
  })
  const rows = monthlyKwh.map(
    (kwh, month) => `<tr><th scope="row">${monthNames[month]}</th><td>${numbers.format(kwh)} kWh</td></tr>`,
  )
  return `<figure class="chart"><svg viewBox="0 0 ${size.width} ${size.height}" aria-hidden="true" focusable="false"><g class="lines">${lines.join('')}</g>${bars.join('')}</svg>
<table class="unseen"><caption>Expected production by month</caption>${rows.join('')}</table></figure>`
}

/** The next of 1, 2, 5, 10, 20, 50 … that is no smaller. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return power * [1, 2, 5, 10].find((factor) => power * factor >= least)!
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
