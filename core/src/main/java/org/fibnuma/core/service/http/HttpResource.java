package org.fibnuma.core.service.http;

import java.util.function.Consumer;

/** Answers the requests for one path of an {@link HttpServer}. */
@FunctionalInterface
public interface HttpResource
{
    /**
     * Answers a GET or HEAD request on the server's thread; it must not block.
     *
     * @param query  of the client.
     * @param answer called at most once, on any thread. After {@link HttpLimits#ANSWER_TIMEOUT_MS} the client receives
     *               an error, and the call has no effect.
     */
    void get(HttpQuery query, Consumer<HttpAnswer> answer);
}
