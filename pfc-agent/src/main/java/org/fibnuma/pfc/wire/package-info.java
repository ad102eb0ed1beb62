/**
 * Frames of flow control and congestion notification: PAUSE (IEEE 802.3 Annex 31B), PFC (IEEE 802.1Qbb) and the
 * congestion notification packet of RoCEv2. Flyweights trust that the stage before has proved the frame's length.
 */
package org.fibnuma.pfc.wire;
