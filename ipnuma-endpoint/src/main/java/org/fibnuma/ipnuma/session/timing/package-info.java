/**
 * When a session sends: how fast, by DCQCN of {@link org.fibnuma.pfc.dcqcn}
 * ({@link org.fibnuma.ipnuma.session.timing.Pacer}), and when again
 * ({@link org.fibnuma.ipnuma.session.timing.RetransmitTimer}). Times come in, nothing reads a clock.
 */
package org.fibnuma.ipnuma.session.timing;
