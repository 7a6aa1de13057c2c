import './bot-badge.css'

/** Stands beside the names of bots. */
export function BotBadge() {
  return <span className="bot-badge">Bot</span>
}
