import { cut } from '../cards.ts'
import type { Payload } from '../payload.ts'
import { alertReaders } from './alerts.ts'
import { communityReaders } from './community.ts'
import {
  BLUE,
  bodyOf,
  capital,
  type GithubCard,
  GREEN,
  GREY,
  linkTo,
  numbered,
  PURPLE,
  RED,
  type Reader,
  shortHash,
  where,
  YELLOW,
} from './parts.ts'
import { runReaders } from './runs.ts'

const SHOWN_COMMITS = 10
const MAX_SUMMARY = 100

/**
 * Reads an event of the given name. Returns undefined for an event that is not posted, like most events.
 * @param name the header X-GitHub-Event
 * @param payload as GitHub documents it under "Webhook events and payloads"
 */
export function readGithubEvent(name: string, payload: Payload): GithubCard | undefined {
  const card = Object.hasOwn(readers, name) ? readers[name]?.(payload) : undefined
  const sender = payload.text('sender.login')
  if (card === undefined || sender === '') return card
  const iconUrl = payload.text('sender.avatar_url')
  return { author: { name: sender, url: payload.text('sender.html_url'), iconUrl }, ...card }
}

const readers: Readonly<Record<string, Reader>> = {
  ping: (payload) => ({
    title: `${where(payload)}GitHub is connected`,
    url: payload.text('repository.html_url'),
    description: payload.text('zen'),
    color: BLUE,
  }),
  push: readPush,
  pull_request: readPullRequest,
  pull_request_review: readReview,
  pull_request_review_comment: (payload) => readComment(payload, 'pull request', 'pull_request'),
  issues: readIssue,
  issue_comment: (payload) =>
    readComment(payload, payload.text('issue.pull_request.url') === '' ? 'issue' : 'pull request', 'issue'),
  commit_comment: (payload) => ({
    title: `${where(payload)}New comment on commit ${shortHash(payload.text('comment.commit_id'))}`,
    url: payload.text('comment.html_url'),
    description: bodyOf(payload, 'comment'),
    color: GREY,
  }),
  release: readRelease,
  create: (payload) => readRef(payload, 'created', GREEN),
  delete: (payload) => readRef(payload, 'deleted', RED),
  fork: (payload) => ({
    title: `${where(payload)}Forked to ${payload.text('forkee.full_name')}`,
    url: payload.text('forkee.html_url'),
    color: BLUE,
  }),
  star: (payload) => (payload.text('action') === 'created' ? readStar(payload) : undefined),
  watch: readStar,
  ...runReaders,
  ...communityReaders,
  ...alertReaders,
}

function readPush(payload: Payload): GithubCard | undefined {
  const count = payload.count('commits')
  const branch = payload.text('ref').replace(/^refs\/(?:heads|tags)\//, '')
  const isForced = payload.isTrue('forced')
  // Created and deleted branches have events of their own.
  if (payload.isTrue('deleted') || (count === 0 && !isForced)) return undefined
  const repository = payload.text('repository.full_name')
  const commits = payload.list('commits', SHOWN_COMMITS).map(lineOfCommit)
  const rest = count > SHOWN_COMMITS ? [`… and ${count - SHOWN_COMMITS} more`] : []
  const what = count === 0 ? 'Branch was force-pushed' : `${count} new ${count === 1 ? 'commit' : 'commits'}`
  return {
    title: `[${repository}:${branch}] ${what}${count > 0 && isForced ? ' (force-pushed)' : ''}`,
    url: payload.text('compare'),
    description: [...commits, ...rest].join('\n'),
    color: isForced ? RED : BLUE,
  }
}

function lineOfCommit(commit: Payload): string {
  const [summary = ''] = commit.text('message').split('\n', 1)
  const author = commit.text('author.username') || commit.text('author.name')
  return `${linkTo(`\`${shortHash(commit.text('id'))}\``, commit.text('url'))} ${cut(summary, MAX_SUMMARY)} – ${author}`
}

function readPullRequest(payload: Payload): GithubCard | undefined {
  const closed = payload.isTrue('pull_request.merged')
    ? { verb: 'merged', color: PURPLE }
    : { verb: 'closed', color: RED }
  const shown: Readonly<Record<string, { verb: string; color: number }>> = {
    opened: { verb: 'opened', color: GREEN },
    reopened: { verb: 'reopened', color: GREEN },
    ready_for_review: { verb: 'is ready for review', color: GREEN },
    closed,
  }
  return readNumbered(payload, { key: 'pull_request', kind: 'Pull request' }, shown)
}

function readIssue(payload: Payload): GithubCard | undefined {
  return readNumbered(
    payload,
    { key: 'issue', kind: 'Issue' },
    {
      opened: { verb: 'opened', color: GREEN },
      reopened: { verb: 'reopened', color: GREEN },
      closed: { verb: 'closed', color: PURPLE },
    },
  )
}

/** Reads an issue or a pull request. Its text is only shown when it is opened. */
function readNumbered(
  payload: Payload,
  { key, kind }: { key: string; kind: string },
  shown: Readonly<Record<string, { verb: string; color: number }>>,
): GithubCard | undefined {
  const action = payload.text('action')
  const look = Object.hasOwn(shown, action) ? shown[action] : undefined
  if (look === undefined) return undefined
  const subject = payload.at(key)
  return {
    title: `${where(payload)}${kind} ${look.verb}: ${numbered(subject)}`,
    url: subject.text('html_url'),
    description: action === 'opened' ? bodyOf(payload, key) : '',
    color: look.color,
  }
}

function readReview(payload: Payload): GithubCard | undefined {
  if (payload.text('action') !== 'submitted') return undefined
  const phrases: Readonly<Record<string, { verb: string; color: number }>> = {
    approved: { verb: 'approved', color: GREEN },
    changes_requested: { verb: 'needs changes', color: RED },
    commented: { verb: 'reviewed', color: GREY },
  }
  const state = payload.text('review.state')
  const phrase = Object.hasOwn(phrases, state) ? phrases[state] : undefined
  const description = bodyOf(payload, 'review')
  // Each of a review's comments has an event of its own.
  if (phrase === undefined || (state === 'commented' && description === '')) return undefined
  return {
    title: `${where(payload)}Pull request ${phrase.verb}: ${numbered(payload.at('pull_request'))}`,
    url: payload.text('review.html_url'),
    description,
    color: phrase.color,
  }
}

function readComment(payload: Payload, kind: string, key: string): GithubCard | undefined {
  if (payload.text('action') !== 'created') return undefined
  return {
    title: `${where(payload)}New comment on ${kind} ${numbered(payload.at(key))}`,
    url: payload.text('comment.html_url'),
    description: bodyOf(payload, 'comment'),
    color: GREY,
  }
}

function readRelease(payload: Payload): GithubCard | undefined {
  if (payload.text('action') !== 'published') return undefined
  const name = payload.text('release.name') || payload.text('release.tag_name')
  return {
    title: `${where(payload)}New release published: ${name}`,
    url: payload.text('release.html_url'),
    description: bodyOf(payload, 'release'),
    color: GREEN,
  }
}

function readRef(payload: Payload, verb: string, color: number): GithubCard {
  const kind = payload.text('ref_type')
  const url = payload.text('repository.html_url')
  return { title: `${where(payload)}${capital(kind)} ${verb}: ${payload.text('ref')}`, url, color }
}

/** Reads a new star. A webhook for all events gets each star twice, as `star` and as `watch`, hence `once`. */
function readStar(payload: Payload): GithubCard {
  return {
    title: `${where(payload)}New star`,
    url: payload.text('repository.html_url'),
    color: YELLOW,
    once: `star ${payload.text('repository.id')} ${payload.text('sender.id')}`,
  }
}
