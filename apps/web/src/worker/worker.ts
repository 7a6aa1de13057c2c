import type { PushWords } from './push-words.ts'
import { keepWords, openNotification, showPush } from './pushes.ts'
import { answeredBy } from './requests.ts'
import type { WorkerScope } from './scope.ts'
import { answerFile, answerPage, dropOldShells, keepShell, type Shell, tellBuild } from './shell.ts'

// The build puts it in.
declare const SHELL: Shell
declare const self: WorkerScope

const shell = SHELL

self.addEventListener('install', (event) => {
  // At once: pages that are open keep the files of their own build.
  event.waitUntil(keepShell(self, shell).then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  const activate = async () => {
    await self.clients.claim()
    await dropOldShells(self, shell)
    await tellBuild(self, shell)
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

/** Only pages of our own can send it anything. */
function isWords(data: unknown): data is { kind: 'words'; words: PushWords } {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'words'
}
