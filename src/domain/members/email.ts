/** One @, no spaces, a name with a dot behind it: what looks like an email address. */
export const emailPattern =
  '[^\\s@<>()",;:\\\\[\\]]+@[^\\s@.<>()",;:\\\\[\\]]+(\\.[^\\s@.<>()",;:\\\\[\\]]+)+'

const form = new RegExp(`^${emailPattern}$`)

export function isEmail(text: string): boolean {
  return text.length <= 320 && form.test(text)
}
