package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.databind.JsonNode;

/** Answers the requests of a {@link ControlServer}. */
@FunctionalInterface
public interface ControlRequestHandler
{
    /**
     * Handles a request; on the server's thread, so it must not block.
     *
     * @param request an object with a field {@link ControlProtocol#REQUEST}.
     * @param answer  to be called exactly once, on any thread.
     */
    void onRequest(JsonNode request, ControlAnswer answer);
}
