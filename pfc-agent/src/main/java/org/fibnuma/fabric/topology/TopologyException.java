package org.fibnuma.fabric.topology;

/** A topology that cannot be used; the message is one line that says where, what and what to do. */
public final class TopologyException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * A fault in a topology or in what was given with it.
     *
     * @param message one line: file, line, what is wrong there.
     */
    public TopologyException(final String message)
    {
        super(message);
    }
}
