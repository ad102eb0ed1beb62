package org.fibnuma.core.service.http;

import java.util.function.Consumer;

/** What a path of an {@link HttpServer} stands for. */
@FunctionalInterface
public interface HttpResource
{
    /**
     * Answers a GET or HEAD request; on the server's thread, so it must not block.
     *
     * @param query  of the client.
     * @param answer to be called at most once, on any thread. After some seconds the client gets
     *               another answer and this call does nothing.
     */
    void get(HttpQuery query, Consumer<HttpAnswer> answer);
}
