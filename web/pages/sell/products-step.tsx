import { sell as texts } from '../../texts/en/sell.ts'
import { OfferedList } from './offered-list.tsx'
import type { StepProps } from './step-props.ts'

export function ProductsStep(props: StepProps) {
  const problem = props.problems['products']
  return (
    <div className="-mt-8">
      <OfferedList {...props} title={texts.products} note={texts.productsNote} />
      {problem && (
        <p role="alert" className="pt-2 text-bad">
          {problem}
        </p>
      )}
    </div>
  )
}
