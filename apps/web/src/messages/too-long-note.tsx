import { limits } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/button.tsx'
import './too-long-note.css'

/** Why what is written cannot be sent, and what can be done instead. */
export function TooLongNote({ onAttach }: { onAttach: () => void }) {
  return (
    <div className="too-long-note">
      <span role="status">{t('A message has at most {max} characters.', { max: limits.messageMax })}</span>
      <Button look="text" onClick={onAttach}>
        {t('Attach it as a file')}
      </Button>
    </div>
  )
}
