import { locale } from './texts.ts'

/**
 * For what writes times, numbers and lists in the reader's language: it takes a browser up to tens of milliseconds to make
 * one, and most pages want few.
 * @returns what is made when it is first asked for, and kept
 */
export function lazily<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}

const conjunction = lazily(() => new Intl.ListFormat(locale(), { type: 'conjunction' }))

/** "A, B, and C". */
export function joined(names: readonly string[]): string {
  return conjunction().format(names)
}
