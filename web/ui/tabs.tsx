import { classes } from './classes.ts'

interface SegmentsProps<T extends string> {
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
}

/** A choice between a few views of the same. */
export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  return (
    <fieldset className="inline-flex max-w-full flex-wrap rounded-lg border border-line bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classes(
            'inline-flex min-h-8.5 cursor-pointer items-center rounded-md px-3 text-[0.93rem] has-focus-visible:outline-2 has-focus-visible:outline-action',
            option.value === value
              ? 'bg-raised font-medium text-ink shadow-card'
              : 'text-ink-soft hover:text-ink',
          )}
        >
          <input
            type="radio"
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
