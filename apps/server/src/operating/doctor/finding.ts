import { wordsOf } from '#src/kernel/error-words.ts'

/** One result of the doctor: the subject, its state, and what to do about it. */
export interface Finding {
  what: string
  /** `note`: this may be intended, or a mistake. */
  verdict: 'good' | 'bad' | 'note'
  says: string
  /** Present if the operator can do something about it. */
  remedy?: string | undefined
}

/**
 * Runs a check.
 * @param remedy advice if the check fails
 */
export async function examine(
  what: string,
  remedy: string,
  look: () => Promise<Omit<Finding, 'what'> | string>,
): Promise<Finding> {
  try {
    const seen = await look()
    return { what, ...(typeof seen === 'string' ? { verdict: 'good', says: seen } : seen) }
  } catch (error) {
    return { what, verdict: 'bad', says: wordsOf(error), remedy }
  }
}

/** Formats the findings for a terminal. */
export function reportOf(findings: readonly Finding[]): string {
  const signs = { good: 'ok  ', bad: 'FAIL', note: 'note' } as const
  return findings
    .map(({ what, verdict, says, remedy }) => {
      const lines = [
        `${signs[verdict]}  ${what}: ${says}`,
        ...(remedy === undefined ? [] : [`      → ${remedy}`]),
      ]
      return lines.join('\n')
    })
    .join('\n')
}
