import type { Static, TObject } from 'typebox'
import type { ProposalRequest } from '../../domain/agents/agent-proposal.ts'
import type { Context, Interface } from '../../domain/kernel/context.ts'
import type { Action } from '../../domain/kernel/policy.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/authenticate.ts'

/** A call of a tool: who makes it, and what its work is given. */
export interface ToolCall {
  deps: Deps
  caller: Caller
  ctx: Context
  /** Says that nobody waits for the answer any more. */
  gone(): AbortSignal
}

interface Described {
  name: string
  title: string
  description: string
  /** The interface that a key must have been made for; null: any key is offered it. */
  of: Interface | null
  /** What the key must be allowed to do to be offered it. */
  needs?: Action
  /** Only for keys that were made for an agent. */
  agentsOnly?: true
  input: TObject
  /** The fields of its answer, as JSON Schema. */
  output: TObject
}

export interface ReadingTool extends Described {
  writes: false
  read(call: ToolCall, input: never): Promise<object>
}

/** What a writing tool did, or would do. */
export interface Outcome {
  changed: boolean
  /** In a sentence, without any text of a customer's. */
  summary: string
  /** What followed from it, each in a sentence, without any text of a customer's. */
  effects: string[]
  /** Ids and fields to go on with. */
  record: Record<string, unknown>
  /** Those of them that name what it made: they are left out where nothing is. */
  made?: readonly string[]
}

export interface WritingTool extends Described {
  writes: true
  destructive: boolean
  /** Whether the same call again changes nothing more, also without a key. */
  idempotent: boolean
  /** Whether it goes out into the world: copies from addresses. */
  open: boolean
  /**
   * How its answer is kept where it names a key: `together` in one transaction with what it writes; `claimed` where the work
   * takes long, and doing what was broken off once more does no harm.
   */
  kept: 'together' | 'claimed'
  write(call: ToolCall, input: never): Promise<Outcome>
  /** What it would do, where that cannot be found out by doing it and taking it back. */
  preview?(call: ToolCall, input: never): Promise<Outcome>
  /** What a key that may only propose asks a person to do; absent where it may do it itself. */
  proposal?(call: ToolCall, input: never): Promise<ProposalRequest>
}

export type Tool = ReadingTool | WritingTool

/** A tool with its input typed by its schema. */
export function readingTool<Input extends TObject>(
  tool: Omit<ReadingTool, 'writes' | 'read' | 'input'> & {
    input: Input
    read(call: ToolCall, input: Static<Input>): Promise<object>
  },
): ReadingTool {
  return { ...tool, writes: false }
}

export function writingTool<Input extends TObject>(
  tool: Omit<WritingTool, 'writes' | 'write' | 'preview' | 'proposal' | 'input'> & {
    input: Input
    write(call: ToolCall, input: Static<Input>): Promise<Outcome>
    preview?(call: ToolCall, input: Static<Input>): Promise<Outcome>
    proposal?(call: ToolCall, input: Static<Input>): Promise<ProposalRequest>
  },
): WritingTool {
  return { ...tool, writes: true }
}
