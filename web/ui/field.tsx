import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useId,
} from 'react'
import { classes } from './classes.ts'

interface FieldIds {
  id: string
  describedBy: string | undefined
  invalid: boolean
}
const FieldContext = createContext<FieldIds | null>(null)

interface FieldProps {
  label: string
  /** Read out only: where the place says it to those who see. */
  labelHidden?: boolean
  hint?: ReactNode
  error?: string | null | undefined
  className?: string
  children: ReactNode
}

/** A label, its input, and what is to be known or is wrong about it. */
export function Field({ label, labelHidden, hint, error, className, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const describedBy = hint || error ? noteId : undefined
  return (
    <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>
      <div className={classes('flex flex-col gap-1', className)}>
        <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-[0.87rem] font-medium text-ink'}>
          {label}
        </label>
        {children}
        {describedBy && (
          <p id={noteId} className={classes('text-[0.87rem]', error ? 'text-bad' : 'text-ink-soft')}>
            {error || hint}
          </p>
        )}
      </div>
    </FieldContext>
  )
}

const box =
  'w-full min-w-0 rounded-lg border border-line-strong/60 bg-surface px-3 min-h-10 text-ink disabled:opacity-60 aria-invalid:border-bad'

function useFieldIds() {
  const field = useContext(FieldContext)
  return field
    ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
    : {}
}

export function TextInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input className={classes(box, className)} {...useFieldIds()} {...rest} />
}

export function TextArea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea className={classes(box, 'py-2', className)} {...useFieldIds()} {...rest} />
}

export function Select({ className, children, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select className={classes(box, 'pr-8', className)} {...useFieldIds()} {...rest}>
      {children}
    </select>
  )
}

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode
}

export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={classes('inline-flex min-h-8 items-center gap-2', className)}>
      <input type="checkbox" className="size-4.5 shrink-0 accent-action" {...rest} />
      <span>{label}</span>
    </label>
  )
}

type Labelled<T> = Omit<FieldProps, 'children'> & Omit<T, keyof FieldProps | 'value' | 'onChange'>

interface TextFieldProps extends Labelled<InputHTMLAttributes<HTMLInputElement>> {
  value: string
  onChange: (text: string) => void
}

/** A labelled line of text. */
export function TextField({
  label,
  labelHidden,
  hint,
  error,
  className,
  onChange,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, labelHidden, hint, error, className }}>
      <TextInput onChange={(event) => onChange(event.target.value)} {...input} />
    </Field>
  )
}

interface SelectFieldProps<V extends string> extends Labelled<SelectHTMLAttributes<HTMLSelectElement>> {
  value: V
  /** What each choice reads, in their order. */
  options: Readonly<Record<V, string>> | readonly (readonly [value: V, text: string])[]
  onChange: (value: V) => void
}

/** A labelled choice of one out of several. */
export function SelectField<V extends string>(props: SelectFieldProps<V>) {
  const { label, labelHidden, hint, error, className, options, onChange, ...select } = props
  const choices = Array.isArray(options) ? options : (Object.entries(options) as [V, string][])
  return (
    <Field {...{ label, labelHidden, hint, error, className }}>
      <Select onChange={(event) => onChange(event.target.value as V)} {...select}>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
}
