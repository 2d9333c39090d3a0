import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Attributes, Context, Span, SpanKind, Tracer } from '@opentelemetry/api'
import type { Sampler } from '@opentelemetry/sdk-trace'
import { version } from '../version.ts'
import type { SamplerName, TracingOptions } from './options.ts'

type Api = typeof import('@opentelemetry/api')

interface Tracing {
  api: Api
  tracer: Tracer
  parentOf(headers: IncomingHttpHeaders): Context
}

/** Null unless somebody asked for traces: whoever could begin a span looks here first, and that is all it costs. */
let tracing: Tracing | null = null
const contexts = new AsyncLocalStorage<Context>()

export const isTracing = (): boolean => tracing !== null

/** Begins to send spans; the libraries are loaded only here. */
export async function startTracing(options: TracingOptions): Promise<{ stop(): Promise<void> }> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { W3CTraceContextPropagator }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ])
  const { endpoint, headers, timeoutMs, serviceName, attributes } = options
  const exporter = new OTLPTraceExporter({ url: endpoint, headers, timeoutMillis: timeoutMs })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      ...attributes,
      'service.name': serviceName,
      'service.version': version,
    }),
    sampler: samplerOf(sdk, options.sampler),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const propagator = new W3CTraceContextPropagator()
  tracing = {
    api,
    tracer: provider.getTracer('sunstead', version),
    parentOf: (from) => propagator.extract(api.ROOT_CONTEXT, from, api.defaultTextMapGetter),
  }
  return {
    async stop() {
      tracing = null
      // What a collector that is away does not take is lost: nobody waits for it.
      await provider.shutdown().catch(() => {})
    },
  }
}

function samplerOf(
  {
    AlwaysOnSampler,
    AlwaysOffSampler,
    ParentBasedSampler,
    TraceIdRatioBasedSampler,
  }: typeof import('@opentelemetry/sdk-trace'),
  { name, ratio }: { name: SamplerName; ratio: number },
) {
  const root: Sampler = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio)
  if (!name.startsWith('parentbased_')) return root
  // A caller's word that a call is to be traced is not taken, nor a trace id that they chose for it: everybody could fill
  // the collector.
  const remoteParentSampled: Sampler = {
    shouldSample: (context, _traceId, ...more) =>
      root.shouldSample(context, randomBytes(16).toString('hex'), ...more),
  }
  return new ParentBasedSampler({ root, remoteParentSampled })
}

/** Does the work as a span of what goes on here. */
export function traced<T>(
  name: string,
  kind: keyof typeof SpanKind,
  attributes: () => Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work()
  const { api, tracer } = tracing
  const parent = contexts.getStore() ?? api.ROOT_CONTEXT
  const span = tracer.startSpan(name, { kind: api.SpanKind[kind], attributes: attributes() }, parent)
  return contexts
    .run(api.trace.setSpan(parent, span), work)
    .then(
      (result) => result,
      (error: Error & { code?: string }) => {
        // The message may hold what is nobody's business.
        span.setAttribute('error.type', error.code ?? error.name)
        span.setStatus({ code: api.SpanStatusCode.ERROR })
        throw error
      },
    )
    .finally(() => span.end())
}

export interface TracedCall {
  traceId: string
  /** `name` is the call's route, which is not known before. */
  end(name: string, attributes: Attributes, failed: boolean): void
}

/** What follows from `next` belongs to the span of this call, which goes on one of its caller's, where they sent one. */
export function tracedCall(
  method: string,
  headers: IncomingHttpHeaders,
  next: (call: TracedCall) => void,
): void {
  const { api, tracer, parentOf } = tracing!
  const parent = parentOf(headers)
  const span: Span = tracer.startSpan(method, { kind: api.SpanKind.SERVER }, parent)
  const call: TracedCall = {
    traceId: span.spanContext().traceId,
    end(name, attributes, failed) {
      span.updateName(name)
      span.setAttributes(attributes)
      if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    },
  }
  contexts.run(api.trace.setSpan(parent, span), () => next(call))
}
