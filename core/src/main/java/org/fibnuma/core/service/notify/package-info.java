/**
 * Messages to the service manager that started this process, in the protocol of sd_notify(3): one datagram each to the
 * UNIX socket that {@code $NOTIFY_SOCKET} names. The binding module sends them through
 * {@link org.fibnuma.core.service.notify.DatagramSender}.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.notify;
