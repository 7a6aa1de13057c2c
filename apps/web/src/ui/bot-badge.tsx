import { t } from '#src/language/texts.ts'
import './bot-badge.css'

/** Stands beside the names of bots. */
export function BotBadge() {
  return <span className="bot-badge">{t('Bot')}</span>
}
