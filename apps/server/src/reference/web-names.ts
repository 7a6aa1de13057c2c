/** Operation names of the routes of rooms on the web. A part of the names of all routes. */
export const webNames: Readonly<Record<string, string>> = {
  'GET /api/rooms/{roomId}/web': 'webRooms.get',
  'PUT /api/rooms/{roomId}/web': 'webRooms.open',
  'DELETE /api/rooms/{roomId}/web': 'webRooms.close',
}
