export interface TracingOptions {
  /** Where spans are sent, by HTTP as protobuf. */
  endpoint: string
  headers: Record<string, string>
  timeoutMs: number
  serviceName: string
  attributes: Record<string, string>
  sampler: { name: SamplerName; ratio: number }
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplers)[number]

const defaultTimeoutMs = 10_000

/**
 * The usual variables of OpenTelemetry. Null where traces are not asked for: no endpoint is named, or they are turned off.
 */
export function readTracingOptions(
  env: Record<string, string | undefined>,
  problems: string[],
): TracingOptions | null {
  const text = (name: string) => env[name]?.trim() || null
  const own = (name: string) =>
    text(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? text(`OTEL_EXPORTER_OTLP_${name}`)
  const exporter = text('OTEL_TRACES_EXPORTER')
  if (text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || exporter === 'none') return null
  if (own('ENDPOINT') === null && exporter === null) return null

  if (exporter !== null && exporter !== 'otlp')
    problems.push(`OTEL_TRACES_EXPORTER must be otlp or none, not "${exporter}"`)
  const protocol = own('PROTOCOL') ?? 'http/protobuf'
  if (protocol !== 'http/protobuf')
    problems.push(
      `OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, not "${protocol}": collectors take that at port 4318`,
    )
  const base = text('OTEL_EXPORTER_OTLP_ENDPOINT') ?? 'http://localhost:4318'
  const endpoint = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? `${base.replace(/\/+$/, '')}/v1/traces`
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint))
    problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an address beginning with http:// or https://')
  const timeout = own('TIMEOUT') ?? String(defaultTimeoutMs)
  if (!/^[1-9]\d{0,6}$/.test(timeout))
    problems.push(`OTEL_EXPORTER_OTLP_TIMEOUT must be milliseconds, such as 10000, not "${timeout}"`)
  const sampler = (text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on') as SamplerName
  if (!samplers.includes(sampler)) problems.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}`)
  const ratio = Number(text('OTEL_TRACES_SAMPLER_ARG') ?? '1')
  if (!(ratio >= 0 && ratio <= 1)) problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  const attributes = pairs(text('OTEL_RESOURCE_ATTRIBUTES'), 'OTEL_RESOURCE_ATTRIBUTES', problems)
  return {
    endpoint,
    headers: pairs(own('HEADERS'), 'OTEL_EXPORTER_OTLP_HEADERS', problems),
    timeoutMs: Number(timeout),
    serviceName: text('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'sunstead',
    attributes,
    sampler: { name: sampler, ratio },
  }
}

/** `name=value` with commas between, values encoded as in an address. What is in them may be secret and is not shown. */
function pairs(list: string | null, variable: string, problems: string[]): Record<string, string> {
  const entries = (list ?? '').split(',').filter((entry) => entry.trim() !== '')
  try {
    return Object.fromEntries(
      entries.map((entry) => {
        const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(entry) ?? []
        if (name === undefined) throw new Error(entry)
        return [decodeURIComponent(name), decodeURIComponent(value!.trim())]
      }),
    )
  } catch {
    problems.push(`${variable} must be a comma list of name=value`)
    return {}
  }
}
