/**
 * The rate of a session by DCQCN ({@link org.fibnuma.ipnuma.session.timing.Pacer}) and its retransmission timer
 * ({@link org.fibnuma.ipnuma.session.timing.RetransmitTimer}). Callers pass the time; no class reads a clock.
 */
package org.fibnuma.ipnuma.session.timing;
