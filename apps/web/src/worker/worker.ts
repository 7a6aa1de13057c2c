import type { PushWords } from './push-words.ts'
import { keepWords, openNotification, showPush } from './pushes.ts'
import { answeredBy } from './requests.ts'
import type { WorkerScope } from './scope.ts'
import { announceBuild, answerFile, answerPage, dropOldShells, keepShell, type Shell } from './shell.ts'

// The build replaces SHELL with the list of its files.
declare const SHELL: Shell
declare const self: WorkerScope

const shell = SHELL

self.addEventListener('install', (event) => {
  // Activates immediately: open pages keep the files of their own build.
  event.waitUntil(keepShell(self, shell).then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  const activate = async () => {
    await self.clients.claim()
    await dropOldShells(self, shell)
    await announceBuild(self, shell)
  }
  event.waitUntil(activate())
})

self.addEventListener('fetch', (event) => {
  const answered = answeredBy(event.request, self.location.origin, (path) => shell.files.includes(path))
  if (answered === 'page') event.respondWith(answerPage(self, shell, event.request))
  if (answered === 'file') event.respondWith(answerFile(self, shell, event.request))
})

self.addEventListener('message', (event) => {
  if (isWords(event.data)) event.waitUntil(keepWords(self, event.data.words))
  else event.waitUntil(dropOldShells(self, shell))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(self, event.data?.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.waitUntil(openNotification(self, event.notification))
})

/** Checks no more than the kind, because only our own pages can send messages to this worker. */
function isWords(data: unknown): data is { kind: 'words'; words: PushWords } {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'words'
}
