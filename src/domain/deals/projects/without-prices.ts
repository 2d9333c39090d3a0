import type { SoldAdder, SoldProduct, System } from './project.ts'

/** What is to be built, without what it costs or who pays for it. */
export function systemWithoutPrices(system: System): System {
  return {
    ...system,
    pricePerWatt: { base: null, final: null },
    adders: system.adders.map(adderWithoutPrice),
  }
}

export function productsWithoutPrices(products: readonly SoldProduct[]): SoldProduct[] {
  return products.map((product) => ({ ...named(product), price: null }))
}

function adderWithoutPrice(adder: SoldAdder): SoldAdder {
  return { ...named(adder), quantity: adder.quantity, total: null }
}

function named({ name, quantity, unit }: SoldProduct | SoldAdder) {
  return { name, ...(quantity === undefined ? {} : { quantity }), ...(unit === undefined ? {} : { unit }) }
}
