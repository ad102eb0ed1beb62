/**
 * Frames of flow control and congestion notification: PAUSE (IEEE 802.3 Annex 31B), PFC (IEEE 802.1Qbb) and the
 * congestion notification packet of RoCEv2. Callers of the flyweights check the length of the frame first.
 */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.wire;
