import { t } from '#src/language/texts.ts'
/** Services whose messages a webhook understands, and what its address ends in for each. */
export const webhookFormats = [
  { id: 'plain', label: t('Discord, or your own program'), suffix: '' },
  { id: 'github', label: 'GitHub', suffix: '/github' },
  { id: 'slack', label: 'Slack', suffix: '/slack' },
] as const

/** Where a service posts to; the server may tell its own addresses as paths. */
export function webhookUrl(url: string, suffix: string, origin: string): string {
  return new URL(url, origin).href + suffix
}
