/**
 * An HTTP/1.1 server on one thread of its own, without passwords and encryption. It knows nothing of the router:
 * {@link org.fibnuma.fibnic.http.HttpResource}s answer. Memory and time of clients are bounded by
 * {@code HttpLimits}.
 */
package org.fibnuma.fibnic.http;
