package org.fibnuma.core.service.http;

/**
 * Limits of an {@link HttpServer}, which bound its memory to a few MiB beside {@link #maxPendingBytes}.
 *
 * @param maxConnections   connections at a time. A further one replaces the one that has been idle for longest. If all
 *                         have a request in progress, it is closed.
 * @param requestTimeoutMs time from the start of a connection, or from an answer, to the end of the next request.
 * @param answerTimeoutMs  time in which a resource answers.
 * @param writeTimeoutMs   time in which a client reads an answer.
 * @param maxPendingBytes  bytes of answers that clients have not read yet. Above them, requests are answered with
 *                         status 503. One answer may exceed them.
 * @param maxListeners     connections that receive events. A further one is answered with status 503.
 */
record HttpLimits(
    int maxConnections,
    long requestTimeoutMs,
    long answerTimeoutMs,
    long writeTimeoutMs,
    long maxPendingBytes,
    int maxListeners)
{
    /** Enough for two Prometheus servers, a health check and some people. An idle connection takes little memory. */
    static final int MAX_CONNECTIONS = 64;

    /** More than the default scrape interval of Prometheus of 60 s, so that its connection stays open. */
    static final long REQUEST_TIMEOUT_MS = 90_000;

    /** Half of the default scrape timeout of Prometheus of 10 s: the client receives the reason before its timeout. */
    static final long ANSWER_TIMEOUT_MS = 5_000;

    /** The default scrape timeout of Prometheus. A client that takes longer does not use the rest. */
    static final long WRITE_TIMEOUT_MS = 10_000;

    /** A small part of the heap, enough for many unread scrapes. */
    static final long MAX_PENDING_BYTES = 32L << 20;

    /** A quarter of the connections, so that one is always free for Prometheus. */
    static final int MAX_LISTENERS = 16;

    /**
     * Length of some events. A listener that does not read is detected when this send buffer and its receive buffer are
     * full.
     */
    static final int EVENT_SEND_BYTES = 32 << 10;

    /** Most parameters of a request. Resources use one. */
    static final int MAX_PARAMETERS = 8;

    /** More than any path needs. */
    static final int MAX_LINE_BYTES = 1024;

    /** Far more than Prometheus sends, and the default of Netty. */
    static final int MAX_HEADER_BYTES = 8192;

    /** Most bytes that are read from a connection before its request is answered. */
    static final int RECEIVE_BYTES = 2048;

    /** Connections that the kernel holds until the server's thread accepts them: one burst. */
    static final int BACKLOG = 128;

    /** The limits of a router or an endpoint. */
    static final HttpLimits DEFAULT = new HttpLimits(
        MAX_CONNECTIONS, REQUEST_TIMEOUT_MS, ANSWER_TIMEOUT_MS, WRITE_TIMEOUT_MS, MAX_PENDING_BYTES,
        MAX_LISTENERS);
}
