import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import {
  concernedQuery,
  type Lengths,
  type RetentionResponse,
  retentionQuery,
  useConcerned,
} from '../../../privacy/use-privacy.ts'
import { common } from '../../../texts/en/common.ts'
import { retention as texts } from '../../../texts/en/privacy.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Field, TextInput } from '../../../ui/field.tsx'
import { FormDialog, FormNotice } from '../../../ui/form-dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Card } from '../../../ui/surface.tsx'
import { useToasts } from '../../../ui/toast.tsx'

const fields = [
  { name: 'unsoldMonths', label: texts.unsold, hint: texts.unsoldHint, unit: texts.months, max: 240 },
  { name: 'mailMonths', label: texts.mails, hint: texts.mailsHint, unit: texts.months, max: 240 },
  { name: 'requestDays', label: texts.requests, hint: texts.requestsHint, unit: texts.days, max: 14 },
] as const

type Rule = Lengths & { keepInvoiceNames: boolean }

const ruleLabels: Record<keyof Rule, string> = {
  unsoldMonths: texts.unsold,
  mailMonths: texts.mails,
  requestDays: texts.requests,
  keepInvoiceNames: texts.invoices,
}

function wordsOf(name: keyof Rule, rule: Rule): string {
  const value = rule[name]
  if (typeof value === 'boolean') return value ? common.yes : common.no
  return value === null ? '' : `${value} ${name === 'requestDays' ? texts.days : texts.months}`
}

/** Says how many it would concern before it is saved. */
export function RetentionForm({ rule }: { rule: RetentionResponse }) {
  const client = useQueryClient()
  const { say } = useToasts()
  const [typed, setTyped] = useState<Partial<Rule>>({})
  // What of it others had written when the first of it was typed, or when it was said which holds.
  const [known, setKnown] = useState(rule)
  const lengths: Rule = { ...rule, ...typed }
  const { unsoldMonths, mailMonths, requestDays, keepInvoiceNames } = lengths
  const theirs = (Object.keys(typed) as (keyof Rule)[]).filter(
    (name) => rule[name] !== known[name] && rule[name] !== typed[name],
  )
  const type = (change: Partial<Rule>) => {
    if (Object.keys(typed).length === 0) setKnown(rule)
    setTyped({ ...typed, ...change })
  }
  const concerned = useConcerned({ unsoldMonths, mailMonths, requestDays })
  const [asking, setAsking] = useState(false)
  const save = useSubmit({
    mutationFn: (_, submission) =>
      api.put(
        '/retention',
        {
          ...{ unsoldMonths, mailMonths, requestDays, keepInvoiceNames },
          version: rule.version,
        },
        submission,
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: retentionQuery.queryKey })
      setTyped({})
      say(texts.saved)
    },
    onSettled: () => setAsking(false),
  })

  const [counting, setCounting] = useState(false)
  /** Whether something would go that cannot be had back, as it is now; where that cannot be told, yes. */
  async function takesAway(): Promise<boolean> {
    setCounting(true)
    const asked = concernedQuery({ unsoldMonths, mailMonths, requestDays })
    const found = await client.fetchQuery({ ...asked, staleTime: 0 }).catch(() => null)
    setCounting(false)
    return found === null || (found.leads ?? 0) > 0 || (found.mails ?? 0) > 0
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (theirs.length > 0 || counting) return
    // Where nothing goes, or less than before, nobody is asked.
    if (shortens(lengths, rule) && (await takesAway())) setAsking(true)
    else save.mutate()
  }

  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-5 px-5 py-5">
        {fields.map(({ name, label, hint, unit, max }) => (
          <Field key={name} label={label} hint={hint}>
            <span className="flex items-center gap-2">
              <TextInput
                type="number"
                inputMode="numeric"
                min={1}
                max={max}
                step={1}
                className="w-28!"
                value={lengths[name] ?? ''}
                onChange={({ target }) => type({ [name]: target.value === '' ? null : Number(target.value) })}
              />
              <span aria-hidden className="text-ink-soft">
                {unit}
              </span>
            </span>
          </Field>
        ))}
        <div>
          <Checkbox
            label={texts.invoices}
            checked={keepInvoiceNames}
            onChange={(event) => type({ keepInvoiceNames: event.target.checked })}
          />
          <p className="text-[0.87rem] text-ink-soft">{texts.invoicesHint}</p>
        </div>
        <Concerned concerned={concerned} />
        <FormNotice
          sending={save}
          meanwhile={{
            theirs: theirs.map((name) => [ruleLabels[name], wordsOf(name, rule)]),
            onKeep: () => setKnown(rule),
            onDiscard: () => setTyped({}),
          }}
        />
        <Button kind="primary" type="submit" className="self-start" busy={save.isPending || counting}>
          {texts.save}
        </Button>
      </form>
      {asking && (
        <FormDialog
          title={texts.confirmTitle}
          description={texts.confirmNote}
          sending={save}
          error={null}
          confirm={texts.confirm}
          kind="danger"
          disabled={!concerned.isCurrent}
          onClose={() => setAsking(false)}
        >
          <Concerned concerned={concerned} />
        </FormDialog>
      )}
    </Card>
  )
}

/** Whether more goes by the first than by the second. */
function shortens(lengths: Lengths, before: Lengths): boolean {
  return fields.some(({ name }) => (lengths[name] ?? Infinity) < (before[name] ?? Infinity))
}

function Concerned({ concerned }: { concerned: ReturnType<typeof useConcerned> }) {
  const { data, error, isPlaceholderData } = concerned
  const counted = (count: number | null, max: number, words: (count: string) => string) => {
    if (count === null) return []
    const number = formatNumber(count)
    return [words(count >= max ? texts.orMore(number) : number)]
  }
  const lines = data
    ? [
        ...counted(data.leads, data.max, texts.leadsConcerned),
        ...counted(data.mails, data.max, texts.mailsConcerned),
        ...counted(data.calls, data.max, texts.callsConcerned),
      ]
    : []
  return (
    <div aria-live="polite" aria-busy={isPlaceholderData} className="rounded-lg bg-sunken px-4 py-3">
      <p className="font-medium">{texts.concernedTitle}</p>
      {error ? (
        <p className="text-bad">{error.message}</p>
      ) : lines.length > 0 ? (
        <ul className="list-disc pl-5 text-ink-soft">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : (
        <p className="text-ink-soft">{data ? texts.nothingConcerned : ' '}</p>
      )}
    </div>
  )
}
