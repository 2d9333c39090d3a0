export const goods = {
  titles: { solar: 'Change the system', hi: 'Change the products' } as const,
  for: (name: string) => `The project of ${name}`,
  back: 'Back to the project',
  asSold: (name: string) => `${name} (as sold)`,
  unnamed: 'Unnamed',
  keptNote: 'As sold. The catalogue has it no more, or at another price',
  productionHint: (kwh: string) => `Empty: ${kwh} kWh, as the sale expected of this size.`,
  built: 'It is built already: the installation keeps the panels that it has.',
  financed:
    'The financing stays as it was agreed. Change it under Contract and financing where it must follow.',

  prices: 'What it comes to',
  begin: 'Fill the form in, and its price is worked out here.',
  computed: 'Computed price',
  open: 'Fill in the price per watt',
  contract: 'Contract price now',
  none: 'None',
  difference: 'Difference',
  take: (price: string) => `Take ${price} as the contract price`,
  keepNote: 'Otherwise the contract keeps its price.',
  more: (amount: string) => `+${amount}`,

  save: 'Save changes',
  saved: 'Changed.',
  nothingNew: 'Nothing is other than before.',
}
