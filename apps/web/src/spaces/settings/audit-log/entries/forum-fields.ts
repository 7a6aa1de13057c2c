import { t } from '#src/language/texts.ts'
import type { Value } from './field-values.ts'

/** Maximum characters of a text that an entry shows. */
const SHOWN = 200

/** Labels and formats of the fields that only forums and their posts have. */
export const forumFieldTexts = {
  forum: { label: t('Forum settings'), show: settings },
  tags: {
    label: t('Tags'),
    show: (tags: unknown) => (Array.isArray(tags) ? { text: `${tags.length}` } : null),
  },
  is_pinned: { label: t('Pinned'), show: (value: unknown) => yesOrNo(value === true) },
  solved_message_id: { label: t('Solved'), show: (id: unknown) => yesOrNo(typeof id === 'string') },
}

function yesOrNo(is: boolean): Value {
  return { text: is ? t('Yes') : t('No') }
}

/** Formats the settings of a forum: the names of its tags, and the beginnings of its texts. */
function settings(value: unknown): Value | null {
  if (typeof value !== 'object' || value === null) return null
  const { tags, guidelines, template } = { tags: [], guidelines: '', template: '', ...value }
  const names = Array.isArray(tags) ? tags.map((tag: unknown) => String(Object(tag).name)) : []
  const texts = [guidelines, template].filter((text) => typeof text === 'string' && text !== '')
  const parts = [names.join(', '), ...texts.map((text) => String(text).slice(0, SHOWN))]
  return { text: parts.filter((part) => part !== '').join(' · ') || t('Not set') }
}
