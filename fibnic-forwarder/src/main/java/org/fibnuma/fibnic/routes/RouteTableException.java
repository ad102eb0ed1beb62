package org.fibnuma.fibnic.routes;

/** A table that cannot be read or made; the message is one line that names file, line and what is wrong there. */
public final class RouteTableException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RouteTableException(final String message)
    {
        super(message);
    }
}
