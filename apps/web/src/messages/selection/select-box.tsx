import type { Message } from '@foyer/protocol/messages'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { toggleSelected } from './selection.ts'

interface SelectBoxProps {
  message: Message
  name: string
  isSelected: boolean
}

/** Checkbox to select a message. Clicking the row does the same. */
export function SelectBox({ message, name, isSelected }: SelectBoxProps) {
  const session = useSession()
  return (
    <input
      type="checkbox"
      className="message-select"
      aria-label={t('Select {name}’s message', { name })}
      checked={isSelected}
      onChange={() => toggleSelected(session, message.id)}
      onClick={(event) => event.stopPropagation()}
    />
  )
}
