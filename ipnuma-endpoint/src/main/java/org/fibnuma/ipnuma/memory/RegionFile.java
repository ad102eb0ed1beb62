package org.fibnuma.ipnuma.memory;

import org.fibnuma.core.IoFailure;

import java.io.IOException;
import java.nio.file.Files;

/** A region's file in the hands of the endpoint that owns it. One thread, the endpoint's, calls it. */
public final class RegionFile implements AutoCloseable
{
    private final RegionMapping mapping;
    private final RegionState firstState;
    private boolean closed;

    RegionFile(final RegionMapping mapping)
    {
        this.mapping = mapping;
        this.firstState = mapping.state();
    }

    /**
     * The bytes.
     *
     * @return valid until {@link #close} or {@link #revoke}.
     */
    public RegionMapping mapping()
    {
        return mapping;
    }

    /**
     * Whether it was found as a dead endpoint had left it, with its content.
     *
     * @return false where it began with zeros.
     */
    public boolean isRecovered()
    {
        return firstState == RegionState.RECOVERED;
    }

    /** Takes it back from everybody: clients that have it mapped see {@link RegionState#REVOKED}; the file goes. */
    public void revoke()
    {
        end(RegionState.REVOKED);
    }

    /** Ends in order: clients that have it mapped see {@link RegionState#CLOSED}; the file goes. */
    @Override
    public void close()
    {
        end(RegionState.CLOSED);
    }

    private void end(final RegionState state)
    {
        if (closed)
        {
            return;
        }
        closed = true;
        mapping.page().putIntRelease(RegionFileLayout.STATE_OFFSET, state.code());
        mapping.close();
        try
        {
            Files.deleteIfExists(mapping.file());
        }
        catch (final IOException ex)
        {
            throw new RegionException("cannot remove " + mapping.file() + ": " + IoFailure.reason(ex), ex);
        }
    }
}
