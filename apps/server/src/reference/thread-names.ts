/** Operation names of the thread routes, a part of the table in operation-names.ts. */
export const threadNames: Readonly<Record<string, string>> = {
  'GET /api/users/@me/threads': 'threadRooms.listFollowed',
  'GET /api/rooms/{roomId}/threads': 'threadRooms.list',
  'POST /api/rooms/{roomId}/threads': 'threadRooms.create',
  'GET /api/threads/{threadId}': 'threadRooms.get',
  'PATCH /api/threads/{threadId}': 'threadRooms.update',
  'DELETE /api/threads/{threadId}': 'threadRooms.delete',
  'POST /api/threads/{threadId}/move': 'threadRooms.move',
  'POST /api/threads/{threadId}/merge': 'threadRooms.merge',
  'GET /api/rooms/{roomId}/similar': 'forums.listSimilar',
  'PUT /api/threads/{threadId}/solution': 'forums.solve',
  'DELETE /api/threads/{threadId}/solution': 'forums.unsolve',
  'PUT /api/threads/{threadId}/follow': 'threadRooms.follow',
  'DELETE /api/threads/{threadId}/follow': 'threadRooms.unfollow',
}
