import type { FastifyRequest } from 'fastify'
import type { Outlook } from '../../domain/agents/agent-proposal.ts'
import { foresee } from '../../domain/agents/kinds.ts'
import { propose } from '../../domain/agents/propose.ts'
import type { Answer } from '../../domain/journal/idempotency/call.ts'
import { requireWriter } from '../../domain/kernel/policy.ts'
import { apiError, errorCodes, noteFailure } from '../http/errors.ts'
import { isKept } from '../http/idempotency.ts'
import { cleaned } from '../http/json-body.ts'
import { createCheck } from '../http/validation.ts'
import { answerText } from './answer-text.ts'
import { type ToolResult, toolError } from './errors.ts'
import { once, withoutEffect } from './once.ts'
import type { Outcome, Tool, ToolCall, WritingTool } from './tool.ts'

const checks = new Map<Tool, (args: unknown) => void>()

/** Calls a tool. Whatever goes wrong is its answer too: a model reads that, and tries otherwise. */
export async function callTool(
  tool: Tool,
  call: ToolCall,
  sent: unknown,
  request: FastifyRequest,
): Promise<ToolResult> {
  try {
    const args = cleaned(sent ?? {}) as Record<string, unknown>
    checkOf(tool)(args)
    if (!tool.writes) return resultOf(await tool.read(call, args as never))
    requireWriter(call.ctx.actor)
    return await write(tool, call, args, request)
  } catch (error) {
    return refused(error, request)
  }
}

function checkOf(tool: Tool): (args: unknown) => void {
  let check = checks.get(tool)
  if (!check) {
    check = createCheck(tool.input, 'arguments')
    checks.set(tool, check)
  }
  return check
}

function refused(error: unknown, request: FastifyRequest): ToolResult {
  noteFailure(error, apiError(error, request).code, request)
  return toolError(error, request)
}

function resultOf(structuredContent: object): ToolResult {
  return { content: [{ type: 'text', text: answerText(structuredContent) }], structuredContent }
}

interface WritingArgs {
  dry_run?: boolean
  idempotency_key?: string
}

async function write(
  tool: WritingTool,
  call: ToolCall,
  { dry_run, idempotency_key: key, ...input }: WritingArgs & Record<string, unknown>,
  request: FastifyRequest,
): Promise<ToolResult> {
  if (dry_run) {
    return resultOf(await tryOut(tool, call, input))
  }
  const run = async (within: ToolCall) => resultOf(await doOrPropose(tool, within, input))
  if (key === undefined) return run(call)
  const { body, replayed } = await once(
    call,
    { key, tool: tool.name, args: input, kept: tool.kept },
    {
      run: async (within) => ({ status: 200, body: JSON.stringify(await run(within)) }),
      refusalOf: (error) => refusalOf(error, request),
    },
  )
  const result = JSON.parse(body) as ToolResult
  return replayed && result.structuredContent ? resultOf({ ...result.structuredContent, replayed }) : result
}

function refusalOf(error: unknown, request: FastifyRequest): Answer | null {
  const { status } = errorCodes[apiError(error, request).code]
  return isKept(status) ? { status, body: JSON.stringify(toolError(error, request)) } : null
}

function wouldDo(tool: WritingTool, call: ToolCall, input: object): Promise<Outcome> {
  if (tool.preview) return tool.preview(call, input as never)
  return withoutEffect(asDecider(call), (within) => tool.write(within, input as never))
}

/** As if a person did it, where the key may only propose: only for what is taken back. */
function asDecider(call: ToolCall): ToolCall {
  const { actor } = call.ctx
  if (!actor.agent?.proposes) return call
  return { ...call, ctx: { ...call.ctx, actor: { ...actor, agent: { ...actor.agent, proposes: false } } } }
}

async function tryOut(tool: WritingTool, call: ToolCall, input: object): Promise<object> {
  const would = await wouldDo(tool, call, input)
  const answer = { ...notWritten(would), outcome: 'dry_run' }
  if (!would.changed) return answer
  const proposes = tool.proposal && call.ctx.actor.agent?.proposes
  const how = proposes ? 'be proposed, and done once a person approves it in the console' : 'be'
  const summary = `Not done, as this is a dry run. It would ${how}: ${would.summary}`
  if (!tool.proposal) return { ...answer, summary }
  const request = await tool.proposal(call, input as never)
  const outlook = await foresee(asDecider(call).ctx, request, call.ctx.actor.companyId)
  return { ...answer, summary, untrusted: inWords(outlook) }
}

/** As a person is shown it who is to approve it: with the customer's name and mail. */
function inWords({ summary, follows }: Pick<Outlook, 'summary' | 'follows'>): object {
  return { summary, follows }
}

async function doOrPropose(tool: WritingTool, call: ToolCall, input: { reason?: string }): Promise<object> {
  if (!tool.proposal || !call.ctx.actor.agent?.proposes)
    return written(await tool.write(call, input as never))
  const would = await wouldDo(tool, call, input)
  if (!would.changed) return written(would)
  const request = await tool.proposal(call, input as never)
  const { id, created, expiresAt, ...outlook } = await propose(call.ctx, request, { reason: input.reason })
  const summary = `Not done yet: it waits until a person approves it in the console. It would be: ${would.summary}`
  return {
    ...notWritten(would),
    outcome: 'proposed',
    summary,
    proposal: { id, created, expires_at: expiresAt },
    untrusted: inWords(outlook),
  }
}

function written({ changed, made: _made, ...outcome }: Outcome): object {
  return { outcome: changed ? 'done' : 'unchanged', ...outcome }
}

/** The same where nothing was made: what would have been has no id and no status yet. */
function notWritten({ made = [], record, ...outcome }: Outcome): object {
  const known = Object.entries(record).filter(([name]) => !made.includes(name) && name !== 'status')
  return written({ ...outcome, record: Object.fromEntries(known) })
}
