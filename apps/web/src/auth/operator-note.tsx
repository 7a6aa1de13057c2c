import type { Instance } from '@foyer/protocol/instance'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'

const tags = { code: (inside: string) => <code>{inside}</code> }

/** Explains where to find the link for the first operator, while the server has none. */
export function OperatorNote({ instance }: { instance: Instance | null }) {
  if (!instance?.awaits_operator) return null
  return (
    <p className="auth-operator-note">
      <RichText
        text={t(
          'This server has no administrator yet. If you run it, open the link that it printed when it started. It’s also in the log and in the file <code>operator-link</code> in the data folder.',
        )}
        tags={tags}
      />
    </p>
  )
}
