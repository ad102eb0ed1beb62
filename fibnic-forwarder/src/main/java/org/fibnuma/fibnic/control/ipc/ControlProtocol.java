package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What both ends of the control socket agree on. */
public final class ControlProtocol
{
    /** Field of a request: what is wanted. */
    public static final String REQUEST = "request";
    /** Field of an answer that says, in one line, why there is none. */
    public static final String ERROR = "error";

    static final ObjectMapper JSON = new ObjectMapper();

    /** More than any request of ours has. */
    static final int MAX_REQUEST_BYTES = 64 * 1024;

    private ControlProtocol()
    {
    }

    /** Returns an empty object. */
    public static ObjectNode object()
    {
        return JSON.createObjectNode();
    }

    /**
     * A request without parameters yet.
     *
     * @param what is wanted.
     * @return to be filled.
     */
    public static ObjectNode request(final String what)
    {
        return object().put(REQUEST, what);
    }

    /**
     * An answer that is none.
     *
     * @param why one line.
     * @return the answer.
     */
    public static ObjectNode error(final String why)
    {
        return object().put(ERROR, why);
    }
}
