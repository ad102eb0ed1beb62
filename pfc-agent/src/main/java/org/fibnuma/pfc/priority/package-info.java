/**
 * The eight priorities of a link: classification of frames, bytes held for each ingress port, priorities that the peer
 * has paused, and counters. Callers pass the time in nanoseconds of a monotonic clock.
 */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.priority;
