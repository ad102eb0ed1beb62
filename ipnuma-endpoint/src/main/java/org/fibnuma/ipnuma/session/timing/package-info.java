/**
 * The rate of a session by DCQCN ({@link org.fibnuma.ipnuma.session.timing.Pacer}) and its retransmission timer
 * ({@link org.fibnuma.ipnuma.session.timing.RetransmitTimer}), and the deadlines of many peers
 * ({@link org.fibnuma.ipnuma.session.timing.DeadlineHeap}). Callers pass the time; no class reads a clock.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.session.timing;
