import { Check } from 'lucide-react'
import { sell as texts } from '../../texts/en/sell.ts'
import { classes } from '../../ui/classes.ts'
import type { Step } from './draft.ts'

interface StepListProps {
  steps: readonly Step[]
  current: Step
  onGo: (step: Step) => void
}

/** Where one is: the steps behind are a click away, those ahead come by going on. */
export function StepList({ steps, current, onGo }: StepListProps) {
  const at = steps.indexOf(current)
  return (
    <nav aria-label={texts.stepsLabel} className="pb-5">
      <p className="pb-2 text-[0.87rem] text-ink-soft sm:hidden">
        {texts.stepOf(at + 1, steps.length, texts.steps[current])}
      </p>
      <ol className="flex gap-1.5 sm:gap-3">
        {steps.map((step, index) => {
          const done = index < at
          return (
            <li key={step} className="flex-1" aria-current={index === at ? 'step' : undefined}>
              <span
                aria-hidden
                className={classes('block h-1.5 rounded-full', index <= at ? 'bg-action' : 'bg-line')}
              />
              {done ? (
                <button
                  type="button"
                  onClick={() => onGo(step)}
                  className="mt-1 flex min-h-8 items-center gap-1.5 rounded text-left text-[0.87rem] text-ink-soft hover:text-ink hover:underline max-sm:hidden"
                >
                  <Check className="size-4 text-good" aria-hidden />
                  {texts.steps[step]}
                  <span className="sr-only">, {texts.done}</span>
                </button>
              ) : (
                <span
                  className={classes(
                    'mt-1 flex min-h-8 items-center text-[0.87rem] max-sm:sr-only',
                    index === at ? 'font-semibold' : 'text-ink-soft',
                  )}
                >
                  {texts.steps[step]}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
