import { t } from '#src/language/texts.ts'
import './bot-badge.css'

/** Badge next to the names of bots. */
export function BotBadge() {
  return <span className="bot-badge">{t('Bot')}</span>
}
