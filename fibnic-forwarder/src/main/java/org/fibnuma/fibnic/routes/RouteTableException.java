package org.fibnuma.fibnic.routes;

/** A table that cannot be read or made; the message is one line that names file, line and what is wrong there. */
public final class RouteTableException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * A fault in a table.
     *
     * @param message one line: where, what, and what to do.
     */
    public RouteTableException(final String message)
    {
        super(message);
    }
}
