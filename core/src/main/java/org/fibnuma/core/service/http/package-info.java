/**
 * An HTTP/1.1 server on its own thread, without passwords and encryption.
 * {@link org.fibnuma.core.service.http.HttpResource}s answer requests, and
 * {@link org.fibnuma.core.service.http.HttpEvents} are sent to listeners. {@code HttpLimits} bound the memory and the
 * time of clients.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.http;
