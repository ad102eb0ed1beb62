package org.fibnuma.fibnic.control.ipc;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Messages of the control socket. */
public final class ControlProtocol
{
    /** Field of a request with the name of the request. */
    public static final String REQUEST = "request";
    /** Field of an error answer: one line with the reason. */
    public static final String ERROR = "error";

    static final ObjectMapper JSON = new ObjectMapper();

    /** Longer than any valid request. */
    static final int MAX_REQUEST_BYTES = 64 * 1024;

    private ControlProtocol()
    {
    }

    /** Returns an empty object. */
    public static ObjectNode object()
    {
        return JSON.createObjectNode();
    }

    /** Returns a request of a name, to be completed by the caller. */
    public static ObjectNode request(final String what)
    {
        return object().put(REQUEST, what);
    }

    /** Returns an error answer with a reason of one line. */
    public static ObjectNode error(final String why)
    {
        return object().put(ERROR, why);
    }
}
