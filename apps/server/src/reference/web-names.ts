/** Operation names of the routes of rooms on the web, a part of the table in operation-names.ts. */
export const webNames: Readonly<Record<string, string>> = {
  'GET /api/rooms/{roomId}/web': 'webRooms.get',
  'PUT /api/rooms/{roomId}/web': 'webRooms.open',
  'DELETE /api/rooms/{roomId}/web': 'webRooms.close',
}
