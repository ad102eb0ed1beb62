/**
 * The endpoint's side of its clients, all on the endpoint's thread.
 * <pre>
 *  ClientRings.poll --> ClientSlot (one client's rings) --> ClientRequests --> PeerChannel (of the endpoint's peers)
 *       |                    ^                                   |
 *       | tick               | answers                           +--> ClientRegions (regions of clients)
 *       v                    |
 *  heartbeats, dead clients  +-- PendingAnswers &lt;-- onRead, onAtomic of the sessions
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.client.host;
