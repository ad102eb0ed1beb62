/**
 * An HTTP/1.1 server on one thread of its own, without passwords and encryption. It knows nothing of what it
 * serves: {@link org.fibnuma.core.service.http.HttpResource}s answer, and
 * {@link org.fibnuma.core.service.http.HttpEvents} are sent to listeners. Memory and time of clients are bounded by
 * {@code HttpLimits}.
 */
package org.fibnuma.core.service.http;
