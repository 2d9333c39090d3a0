/** The values of a metric, whatever its labels, in Prometheus' text form. */
export function gaugesOf(text: string, name: string): number[] {
  return valuesOf(text, name, [])
}

/** The values added up of those that have all these labels, as `a="b",c="d"`. */
export function sumOf(text: string, name: string, labels: string): number {
  return valuesOf(text, name, labels ? labels.split(',') : []).reduce((sum, value) => sum + value, 0)
}

function valuesOf(text: string, name: string, labels: string[]): number[] {
  const values: number[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith(name) || !/^[ {]/.test(line.slice(name.length))) continue
    if (labels.every((label) => line.includes(label)))
      values.push(Number(line.slice(line.lastIndexOf(' ') + 1)))
  }
  return values
}
