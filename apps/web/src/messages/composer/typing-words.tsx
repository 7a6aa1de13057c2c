import { useChannel } from '#src/channels/channel-context.ts'
import { joined } from '#src/language/formats.ts'
import { counted, isolated, t } from '#src/language/texts.ts'
import { useKnownMembers } from '#src/members/use-known-members.ts'
import { useAppState } from '#src/session/context.ts'

/** With more people typing, no names are shown. */
const MAX_NAMED = 3

const NOBODY: never[] = []

interface TypingWordsProps {
  userIds: readonly string[]
  isRecording: boolean
}

export function TypingWords({ userIds, isRecording }: TypingWordsProps) {
  const { spaceId, nameOf } = useChannel()
  const users = useAppState((state) => state.users)
  const members = useKnownMembers(spaceId, userIds.length > MAX_NAMED ? NOBODY : userIds)
  const names = userIds.map((id) => {
    const member = members.get(id)
    const user = users[id] ?? member?.user
    return user === undefined ? t('Someone') : isolated(nameOf(user, member))
  })
  return (
    <>
      <span className="typing-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className="typing-names">{isRecording ? recordingWords(names) : typingWords(names)}</span>
    </>
  )
}

function typingWords(names: readonly string[]): string {
  if (names.length > MAX_NAMED) return t('Several people are typing…')
  return counted(names.length, '{names} is typing…', '{names} are typing…', { names: joined(names) })
}

function recordingWords(names: readonly string[]): string {
  if (names.length > MAX_NAMED) return t('Several people are recording…')
  return counted(names.length, '{names} is recording…', '{names} are recording…', {
    names: joined(names),
  })
}
