import { sell as texts } from '../texts/en/sell.ts'
import type { ItemsProps } from './items-draft.ts'
import { OfferedList } from './offered-list.tsx'

export function ProductFields(props: ItemsProps) {
  const problem = props.problems['products']
  return (
    <div className="-mt-8">
      <OfferedList {...props} title={texts.products} titleHidden note={texts.productsNote} />
      {problem && (
        <p role="alert" className="pt-2 text-bad">
          {problem}
        </p>
      )}
    </div>
  )
}
