import { t } from '#src/language/texts.ts'

/** The part of a confirmation that explains earlier messages. */
export function EarlierWords() {
  return (
    <p>
      {t(
        'In a week, everything that was ever written here can be read as well. People wrote it without knowing that.',
      )}
    </p>
  )
}
