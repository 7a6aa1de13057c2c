import { cataloguesAreWhole, translationsFit } from '../catalogues.ts'
import type { Plant } from '../rule.ts'
import { formatsAreMadeLate, localesArePassed, readTextsAreTranslated, textsAreLiterals } from '../texts.ts'

const PAGE = 'apps/web/src/a.tsx'
const GERMAN = 'apps/web/src/language/de.json'
const ERRORS = 'apps/server/src/kernel/errors.ts'

export const textPlants: readonly Plant[] = [
  {
    rule: readTextsAreTranslated,
    because: 'an element, an attribute or a condition has untranslated words',
    breaks: {
      [PAGE]: [
        'const a = <p>Hello</p>',
        'const b = <input placeholder="Your name" />',
        "const c = <p>{isOn ? 'is on' : t('off')}</p>",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a source in a string
        'const d = <p title={`Moved to ${room}`}>Foyer</p>',
      ].join('\n'),
    },
    at: [`${PAGE}:1`, `${PAGE}:2`, `${PAGE}:3`, `${PAGE}:4`],
    keeps: {
      [PAGE]: [
        "const a = <p>{t('Hello')}</p>",
        'const b = <input className="big field" placeholder="s3.example.org" />',
        "const c = <p>{isOn === 'is on' ? t('on') : t('off')}</p>",
        "const d = <p title={t('Moved to {room}', { room })}>Foyer</p>",
      ].join('\n'),
      'apps/web/src/a.test.tsx': 'const a = <p>Hello</p>',
    },
  },
  {
    rule: textsAreLiterals,
    because: 'a text is named by a variable',
    breaks: { [PAGE]: "t(text)\ncounted(1, one, '{count} rooms')" },
    at: [`${PAGE}:1`, `${PAGE}:2`],
    keeps: { [PAGE]: "t('text')\ncounted(1, '{count} room', '{count} rooms')" },
  },
  {
    rule: localesArePassed,
    because: 'a formatter does not use the current locale',
    breaks: { [PAGE]: "new Intl.DateTimeFormat('en')\nnew Intl.NumberFormat()" },
    at: [`${PAGE}:1`, `${PAGE}:2`],
    keeps: { [PAGE]: 'new Intl.DateTimeFormat(locale())\nnew Date()' },
  },
  {
    rule: formatsAreMadeLate,
    because: 'a module creates a formatter while it loads',
    breaks: { [PAGE]: 'const clock = new Intl.DateTimeFormat(locale())' },
    at: [`${PAGE}:1`],
    keeps: { [PAGE]: 'const clock = lazily(() => new Intl.DateTimeFormat(locale()))' },
  },
  {
    rule: cataloguesAreWhole,
    because: 'a catalogue lacks a text and an error, has an unused one, and is not sorted',
    breaks: {
      [PAGE]: "t('Save')\nt('Cancel')",
      [ERRORS]: 'export const errors = { timeout: { status: 503 } }',
      [GERMAN]: '{ "Save": "Speichern", "Old": "Alt" }',
    },
    at: [`${GERMAN}:1`, `${GERMAN}:1`, `${GERMAN}:1`, `${GERMAN}:1`],
    keeps: {
      [PAGE]: "t('Save')\nt('Cancel')",
      [ERRORS]: 'export const errors = { timeout: { status: 503 } }',
      [GERMAN]: '{ "Cancel": "Abbrechen", "Save": "Speichern", "error.timeout": "Zu lange." }',
    },
  },
  {
    rule: translationsFit,
    because: 'a translation lacks a value, a tag or a plural',
    breaks: translated('"Hallo"', '"Lies die Regeln"', '{ "other": "{count} Räume" }'),
    at: [`${GERMAN}:1`, `${GERMAN}:1`, `${GERMAN}:1`],
    keeps: translated(
      '"Hallo {name}"',
      '"Lies <link>die Regeln</link>"',
      '{ "one": "Ein Raum", "other": "{count} Räume" }',
    ),
  },
]

function translated(hello: string, rules: string, rooms: string) {
  return {
    [PAGE]:
      "t('Hello {name}', { name })\nt('Read <link>the rules</link>')\ncounted(1, '{count} room', '{count} rooms')",
    [GERMAN]: `{ "Hello {name}": ${hello}, "Read <link>the rules</link>": ${rules}, "{count} rooms": ${rooms} }`,
  }
}
