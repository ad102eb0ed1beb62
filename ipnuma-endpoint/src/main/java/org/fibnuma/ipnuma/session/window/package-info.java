/**
 * Datagrams in slots of native memory: those that wait for an acknowledgement
 * ({@link org.fibnuma.ipnuma.session.window.SendWindow}) and those that came before their turn
 * ({@link org.fibnuma.ipnuma.session.window.ReceiveWindow}).
 */
package org.fibnuma.ipnuma.session.window;
