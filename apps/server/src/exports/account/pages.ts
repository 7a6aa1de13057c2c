import { html, type Markup, pageOf } from '../markup.ts'
import type { ListedFile } from './files.ts'
import type { Profile } from './queries.ts'
import type { PageFacts, WrittenMessage, WrittenPlace, WrittenSection } from './written.ts'

const reasons: Readonly<Record<NonNullable<ListedFile['missing']>, string>> = {
  deleted: 'deleted',
  over_limit: 'left out, because the files of this export are over 1 GiB',
  storage: 'left out, because its storage did not answer',
}

/** Returns an HTML page with up to 1000 messages. */
export function messagePage(
  { name, number, isLast }: PageFacts,
  messages: readonly WrittenMessage[],
): string {
  const links = (
    label: string,
  ) => html`<nav aria-label="${label}"><a href="../../index.html">All your data</a>
${number > 1 ? html`<a href="${number - 1}.html">Earlier messages</a>` : ''}
${isLast ? '' : html`<a href="${number + 1}.html">Later messages</a>`}
<a href="${number}.json">As JSON</a></nav>`
  const body = html`<main>
<h1><bdi>${name}</bdi></h1>
<p class="note">Only your own messages: those of others are theirs.</p>
${links('Pages')}
${messages.map(messagePart)}
${links('Pages, below the messages')}
</main>`
  return pageOf(name, body)
}

function messagePart(message: WrittenMessage): Markup {
  const { created_at, edited_at, content, is_forward, files } = message
  return html`<article id="${message.id}">
<time datetime="${created_at}">${readable(created_at)}</time>${edited_at === null ? '' : html` <span class="note">edited</span>`}
${is_forward ? html`<p class="note">You forwarded a message of another person.</p>` : ''}
${content === '' ? '' : html`<p dir="auto">${content}</p>`}
${files.map((file) => html`<p>${filePart(file, '../../')}</p>`)}
</article>`
}

function filePart({ name, path, missing, description }: ListedFile, root: string): Markup {
  const shown = html`<bdi>${name}</bdi>${description === null ? '' : html` <span class="note" dir="auto">${description}</span>`}`
  if (path !== null) return html`<a href="${root}${linkTo(path)}">${shown}</a>`
  return html`${shown} <span class="note">(${missing === null ? '' : reasons[missing]})</span>`
}

export interface IndexFacts {
  profile: Profile
  places: readonly WrittenPlace[]
  sections: readonly WrittenSection[]
  pictures: readonly ListedFile[]
  createdAt: string
}

/** Returns the start page: the profile, with links to everything else. */
export function indexPage({ profile, places, sections, pictures, createdAt }: IndexFacts): string {
  const title = `Your data: ${profile.username}`
  const body = html`<main>
<h1>Your data: <bdi>${profile.username}</bdi></h1>
<p class="note">Made at ${readable(createdAt)}. Everything is also there as JSON, for programs.</p>
<h2>Profile</h2>
<table>
${Object.entries(profile).map(([field, value]) => html`<tr><th scope="row">${field}</th><td><bdi>${value === null ? '–' : String(value)}</bdi></td></tr>`)}
</table>
<p><a href="data/profile.json">As JSON</a></p>
${pictures.map((file) => html`<p>${filePart(file, '')}</p>`)}
<h2>Messages</h2>
${places.length === 0 ? html`<p>You have written none.</p>` : table(['Where', 'Messages'], places.map(placeRow))}
<h2>Everything else</h2>
${table(['What', 'Entries'], sections.map(sectionRow))}
</main>`
  return pageOf(title, body)
}

function placeRow({ name, path, messages }: WrittenPlace): Markup {
  return html`<tr><td><a href="${linkTo(path)}"><bdi>${name}</bdi></a></td><td>${messages}</td></tr>`
}

function sectionRow({ title, path, rows }: WrittenSection): Markup {
  return html`<tr><td><a href="${linkTo(path)}">${title}</a></td><td>${rows}</td></tr>`
}

function table([first, second]: readonly [string, string], rows: readonly Markup[]): Markup {
  return html`<table>
<tr><th scope="col">${first}</th><th scope="col">${second}</th></tr>
${rows}
</table>`
}

/** Returns a time as `2026-11-28 10:20 UTC`, because the user's time zone is unknown. */
function readable(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
}

function linkTo(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
