import { t } from '#src/language/texts.ts'

/** The part of a confirmation that explains earlier messages. */
export function EarlierWords() {
  return (
    <p>
      {t(
        'In a week, everything ever written here will be readable, too. People didn’t know that when they wrote it.',
      )}
    </p>
  )
}
