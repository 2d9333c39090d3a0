import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { check, property, string } from 'fast-check'
import { canSignInBy, normalEmail } from '../../../src/domain/kernel/email.ts'

describe('the one form of an address', () => {
  test('is trimmed, without capitals of ASCII, its domain as punycode', () => {
    const forms = {
      ' Ada.Moreno+x@Example.COM ': 'ada.moreno+x@example.com',
      'leon@bücher.example': 'leon@xn--bcher-kva.example',
      'LEON@BÜCHER.Example': 'leon@xn--bcher-kva.example',
      'leon@xn--bcher-kva.example': 'leon@xn--bcher-kva.example',
      // A dotted capital I is an i with a dot more, and never an i.
      'leon@brİghtridge.example': 'leon@xn--brightridge-6lg.example',
      'IDA@example.com': 'ida@example.com',
      'ünal@example.com': 'ünal@example.com',
      "o'neil@example.co.uk": "o'neil@example.co.uk",
    }
    for (const [text, form] of Object.entries(forms)) assert.equal(normalEmail(text), form, text)
  })

  test('what is none has none, nor what would become another’s', () => {
    for (const text of [
      ...[
        '',
        'ada',
        'ada@',
        '@example.com',
        'ada@example',
        'a@b@example.com',
        'ada@example.com.',
        'a b@c.de',
      ],
      ...[
        'ada\u0000@c.de',
        'ada\u202e@c.de',
        'a\u200bda@c.de',
        'ada@c\u00ad.de',
        'ada\ud800@c.de',
        'ada@c.de\n x',
      ],
      // Kelvin's sign, a dotted capital I, a ligature and wide letters: they lower or fold to plain ones.
      ...['\u212Aevin@c.de', '\u0130da@c.de', '\uFB01@c.de', '\uFF41da@c.de', 'Ünal@c.de', 'e\u0301va@c.de'],
      // What a URL makes another host of.
      ...['a@127.0.0.1', 'a@0x7f.1', 'a@exa%41mple.com', 'a@example.com/x.de', 'a@example.com:25', 'a@[::1]'],
      `${'a'.repeat(320)}@c.de`,
    ])
      assert.equal(normalEmail(text), null, JSON.stringify(text))
  })

  test('is its own form, and nothing that lower-casing could change', () => {
    check(
      property(
        string({ unit: 'grapheme', maxLength: 20 }),
        string({ unit: 'grapheme', maxLength: 20 }),
        (a, b) => {
          const form = normalEmail(`${a}@${b}.example`)
          if (form === null) return
          assert.equal(normalEmail(form), form)
          assert.equal(form.toLowerCase(), form)
          assert.equal(form.split('@').length, 2)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('of some nobody can sign in', () => {
    assert.ok(canSignInBy('ada.moreno+x@xn--bcher-kva.example'))
    for (const email of ['ünal@example.com', 'a!b@example.com', 'a@b.xn--p1ai'])
      assert.ok(!canSignInBy(email))
  })
})
