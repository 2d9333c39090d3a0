const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}Buffer`)

let loading: ReturnType<typeof load> | undefined

/** The library that reads pictures, kept from reading what it should not. */
export function loadSharp(): ReturnType<typeof load> {
  loading ??= load()
  return loading
}

/** 30 MB and a tenth of a second: only a server that shows pictures pays for it. */
async function load() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // Whatever a file claims to be, no other reader of the library ever sees it.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  return sharp
}
