package org.fibnuma.ipnuma.memory;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.memory.SharedFiles;

import java.io.IOException;

/**
 * A region's file in the hands of the endpoint that owns it. What the region is comes from the request that it was
 * opened with: clients may store anything in the first page. One thread, the endpoint's, calls it.
 */
public final class RegionFile implements AutoCloseable
{
    private final RegionMapping mapping;
    private final RegionRequest request;
    private final RegionState firstState;
    private final int epoch;
    private final SharedFiles.Watch watch;
    private boolean closed;

    RegionFile(
        final RegionMapping mapping, final RegionRequest request, final int epoch, final RegionState firstState)
        throws IOException
    {
        this.mapping = mapping;
        this.request = request;
        this.epoch = epoch;
        this.firstState = firstState;
        this.watch = SharedFiles.watch(mapping.file(), mapping.size() + RegionFileLayout.PAGE_LENGTH,
            () -> RegionFileLayout.write(mapping.page(), request, epoch, firstState));
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
     * What it was opened as.
     *
     * @return name, id, size and access.
     */
    public RegionRequest request()
    {
        return request;
    }

    /**
     * Of the start of the endpoint that owns it.
     *
     * @return unsigned; grows.
     */
    public int epoch()
    {
        return epoch;
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
        if (!closed)
        {
            closed = true;
            try (watch)
            {
                mapping.end(state);
            }
            catch (final IOException ex)
            {
                throw new RegionException("cannot close " + mapping.file() + ": " + IoFailure.reason(ex), ex);
            }
        }
    }
}
