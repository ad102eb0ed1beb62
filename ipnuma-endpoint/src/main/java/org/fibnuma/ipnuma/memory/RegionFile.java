package org.fibnuma.ipnuma.memory;

import org.fibnuma.core.IoFailure;
import org.fibnuma.core.UserException;
import org.fibnuma.core.memory.SharedFiles;

import java.io.IOException;

/**
 * File of a region, for the endpoint that owns it. Its values come from the request that it was opened with, because
 * clients can overwrite the first page. For the endpoint's thread.
 */
public final class RegionFile implements AutoCloseable
{
    private final RegionMapping mapping;
    private RegionRequest request;
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
            () -> RegionFileLayout.write(mapping.page(), this.request, epoch, firstState));
    }

    /** Returns the mapped bytes, valid until {@link #close} or {@link #revoke}. */
    public RegionMapping mapping()
    {
        return mapping;
    }

    /** Returns the request that it was opened with. */
    public RegionRequest request()
    {
        return request;
    }

    /** Changes the {@link org.fibnuma.ipnuma.table.RegionAccess} bits that the file shows to clients. */
    public void access(final int access)
    {
        request = new RegionRequest(request.name(), request.id(), request.size(), access);
        mapping.page().putIntRelease(RegionFileLayout.ACCESS_OFFSET, access);
    }

    /** Returns the epoch of the endpoint's start, unsigned and greater after each start. */
    public int epoch()
    {
        return epoch;
    }

    /** Returns true if the file has the content that a dead endpoint left, false if it began with zeros. */
    public boolean isRecovered()
    {
        return firstState == RegionState.RECOVERED;
    }

    /** Sets the state {@link RegionState#REVOKED}, for clients that have the file mapped, and removes the file. */
    public void revoke()
    {
        end(RegionState.REVOKED);
    }

    /** Sets the state {@link RegionState#CLOSED}, for clients that have the file mapped, and removes the file. */
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
                throw new UserException("cannot close " + mapping.file() + ": " + IoFailure.reason(ex), ex);
            }
        }
    }
}
