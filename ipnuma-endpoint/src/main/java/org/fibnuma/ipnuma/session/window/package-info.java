/**
 * Datagrams in slots of native memory: those that are not acknowledged
 * ({@link org.fibnuma.ipnuma.session.window.SendWindow}) and those that arrived out of order
 * ({@link org.fibnuma.ipnuma.session.window.ReceiveWindow}).
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.session.window;
