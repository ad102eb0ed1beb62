package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.function.Consumer;

/** Answers one request: exactly one call, on any thread. */
public interface ControlAnswer extends Consumer<JsonNode>
{
    /**
     * Answers with an object and a stream of bytes after its line. The connection ends with the stream.
     *
     * @param answer an object.
     * @param stream of bytes; it is closed in any case, also if the client has gone.
     */
    void accept(JsonNode answer, AnswerStream stream);
}
