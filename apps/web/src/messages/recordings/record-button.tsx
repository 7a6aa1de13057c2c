import { Mic } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'

/** Starts a voice message. */
export function RecordButton({ onClick }: { onClick: () => void }) {
  return <IconButton label={t('Record a voice message')} icon={<Mic />} onClick={onClick} />
}
