import type { Payload } from '../payload.ts'
import {
  BLUE,
  bodyOf,
  type GithubCard,
  GREEN,
  GREY,
  numbered,
  PURPLE,
  RED,
  type Reader,
  where,
} from './parts.ts'

/** Discussions, collaborators, and repositories that become public. */
export const communityReaders: Readonly<Record<string, Reader>> = {
  discussion: readDiscussion,
  discussion_comment: readDiscussionComment,
  member: readMember,
  public: (payload) => ({
    title: `${where(payload)}Repository is public now`,
    url: payload.text('repository.html_url'),
    color: BLUE,
  }),
}

const DISCUSSION_COLORS: Readonly<Record<string, number>> = {
  created: GREEN,
  reopened: GREEN,
  answered: PURPLE,
  closed: GREY,
}

function readDiscussion(payload: Payload): GithubCard | undefined {
  const action = payload.text('action')
  if (!Object.hasOwn(DISCUSSION_COLORS, action)) return undefined
  const discussion = payload.at('discussion')
  const isAnswer = action === 'answered'
  return {
    title: `${where(payload)}Discussion ${action}: ${numbered(discussion)}`,
    url: (isAnswer ? payload.text('answer.html_url') : '') || discussion.text('html_url'),
    description: isAnswer
      ? bodyOf(payload, 'answer')
      : action === 'created'
        ? bodyOf(payload, 'discussion')
        : '',
    color: DISCUSSION_COLORS[action],
  }
}

function readDiscussionComment(payload: Payload): GithubCard | undefined {
  if (payload.text('action') !== 'created') return undefined
  return {
    title: `${where(payload)}New comment on discussion ${numbered(payload.at('discussion'))}`,
    url: payload.text('comment.html_url'),
    description: bodyOf(payload, 'comment'),
    color: GREY,
  }
}

/** Reads an added or removed collaborator. */
function readMember(payload: Payload): GithubCard | undefined {
  const action = payload.text('action')
  if (action !== 'added' && action !== 'removed') return undefined
  return {
    title: `${where(payload)}Collaborator ${action}: ${payload.text('member.login')}`,
    url: payload.text('member.html_url'),
    color: action === 'added' ? GREEN : RED,
  }
}
