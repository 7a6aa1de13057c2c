/** The pages' own words, in the language of the space. */
export interface Words {
  readonly language: string
  readonly skip: string
  readonly rooms: string
  readonly months: string
  readonly threads: string
  readonly posts: string
  readonly earlier: string
  readonly later: string
  readonly empty: string
  readonly someone: string
  readonly aMember: string
  readonly aRole: string
  readonly aRoom: string
  readonly answer: string
  readonly solution: string
  readonly solved: string
  readonly forwarded: string
  readonly sticker: string
  readonly edited: string
  readonly spoiler: string
  readonly missing: string
  readonly missingText: string
  readonly busy: string
  readonly followable: string
  readonly join: (space: string) => string
  readonly members: (count: number) => string
}

const english: Words = {
  language: 'en',
  skip: 'Skip to content',
  rooms: 'Rooms',
  months: 'Messages by month',
  threads: 'Threads',
  posts: 'Posts',
  earlier: 'Earlier',
  later: 'Later',
  empty: 'There is nothing to read here.',
  someone: 'A member',
  aMember: 'a member',
  aRole: 'a role',
  aRoom: 'a room',
  answer: 'Reply',
  solution: 'Answer',
  solved: 'answered',
  forwarded: 'A forwarded message',
  sticker: 'A sticker',
  edited: 'edited',
  spoiler: 'Spoiler',
  missing: 'Page not found',
  missingText: 'This page does not exist, or it cannot be read without an account.',
  busy: 'Too many requests. Try again in a minute.',
  followable: 'Rooms on other Foyer servers can follow this one by the address of this page.',
  join: (space) => `Join ${space}`,
  members: (count) => (count === 1 ? '1 member' : `${count} members`),
}

const german: Words = {
  language: 'de',
  skip: 'Zum Inhalt springen',
  rooms: 'Räume',
  months: 'Nachrichten nach Monaten',
  threads: 'Threads',
  posts: 'Beiträge',
  earlier: 'Älter',
  later: 'Neuer',
  empty: 'Hier gibt es nichts zu lesen.',
  someone: 'Ein Mitglied',
  aMember: 'ein Mitglied',
  aRole: 'eine Rolle',
  aRoom: 'ein Raum',
  answer: 'Antwort',
  solution: 'Lösung',
  solved: 'beantwortet',
  forwarded: 'Eine weitergeleitete Nachricht',
  sticker: 'Ein Sticker',
  edited: 'bearbeitet',
  spoiler: 'Spoiler',
  missing: 'Seite nicht gefunden',
  missingText: 'Diese Seite gibt es nicht, oder sie ist ohne Konto nicht lesbar.',
  busy: 'Zu viele Anfragen. Versuche es in einer Minute noch einmal.',
  followable: 'Räume auf anderen Foyer-Servern können diesem mit der Adresse dieser Seite folgen.',
  join: (space) => `${space} beitreten`,
  members: (count) => (count === 1 ? '1 Mitglied' : `${count} Mitglieder`),
}

/** @param locale of a space, like `de-AT`, or Accept-Language; null for English */
export function wordsFor(locale: string | null): Words {
  return locale?.toLowerCase().startsWith('de') === true ? german : english
}

/** Formatters are made once. Making one takes 0.1 ms, and a page shows about fifty dates. */
const timeFormats = formatsFor({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const monthFormats = formatsFor({ month: 'long', year: 'numeric', timeZone: 'UTC' })

export function timeText(words: Words, timeMs: number): string {
  return timeFormats(words).format(timeMs)
}

export function monthText(words: Words, timeMs: number): string {
  return monthFormats(words).format(timeMs)
}

function formatsFor(options: Intl.DateTimeFormatOptions): (words: Words) => Intl.DateTimeFormat {
  const inEnglish = new Intl.DateTimeFormat('en-GB', options)
  const inGerman = new Intl.DateTimeFormat('de-DE', options)
  return ({ language }) => (language === 'de' ? inGerman : inEnglish)
}
